import { ByteStream, FrameStream, WithStatus } from "@muster/http";
import type { FileAnswer } from "@muster/sandbox";
import { ChangeFrames } from "../frames/change-frames.ts";
import type { FileRequest } from "../sandbox/session-files.ts";
import type { RouteContext, Routes } from "./route.ts";

export const fileRoutes = {
  "files.list": ({ query }, context) => valueOf("list", { query }, context),
  "files.stat": ({ query }, context) => valueOf("stat", { query }, context),
  "files.read": ({ query, headers }, context) => bytesOf("read", { query, headers }, context),
  "files.write": ({ query, headers, body }, context) => valueOf("write", { query, headers, body }, context),
  "files.append": ({ query, body }, context) => valueOf("append", { query, body }, context),
  "files.makeDirectory": ({ body: query }, context) => valueOf("makeDirectory", { query }, context),
  "files.move": ({ body: query }, context) => valueOf("move", { query }, context),
  "files.copy": ({ body: query }, context) => valueOf("copy", { query }, context),
  "files.delete": ({ query }, context) => valueOf("delete", { query }, context).then(() => undefined),
  "files.download": ({ query }, context) => bytesOf("download", { query }, context),
  "files.upload": ({ query, body }, context) => valueOf("upload", { query, body }, context),
  "files.search": ({ query }, context) => valueOf("search", { query }, context),
  "files.watch": async ({ query }, context) => {
    const lastEventId = String(context.headers["last-event-id"] ?? "") || undefined;
    const answer = await context.files.run("watch", { query, headers: { lastEventId } }, context);
    if (answer.kind !== "changes") throw wrongKind(answer);
    const frames = new ChangeFrames(answer.changes);
    return new FrameStream(frames, () => frames.position);
  },
} satisfies Partial<Routes>;

type Operation = Parameters<RouteContext["files"]["run"]>[0];

// biome-ignore lint/suspicious/noExplicitAny: the value is what the row's schema says; the walk of paths knows no rows.
async function valueOf(operation: Operation, request: FileRequest, context: RouteContext): Promise<any> {
  const answer = await context.files.run(operation, request, context);
  if (answer.kind !== "value") throw wrongKind(answer);
  const { status, headers, value } = answer;
  return status === undefined ? value : new WithStatus(status, value, headers);
}

async function bytesOf(operation: Operation, request: FileRequest, context: RouteContext): Promise<ByteStream> {
  const answer = await context.files.run(operation, request, context);
  if (answer.kind !== "bytes") throw wrongKind(answer);
  return new ByteStream(answer.status, answer.headers, answer.bytes);
}

function wrongKind({ kind }: FileAnswer): Error {
  return new Error(`files answered with ${kind}`);
}
