import { ByteStream, FrameStream, WithStatus } from "@muster/http";
import type { FileAnswer, FileOperation } from "@muster/sandbox";
import type { Answer, OperationId } from "@muster/schema/wire";
import { ChangeFrames } from "../frames/change-frames.ts";
import type { FileRequest } from "../sandbox/session-files.ts";
import type { RouteContext, Routes } from "./route.ts";

export const fileRoutes = {
  "files.list": ({ query }, context) => answerTo("files.list", { query }, context),
  "files.stat": ({ query }, context) => answerTo("files.stat", { query }, context),
  "files.read": ({ query, headers }, context) => bytesOf("files.read", { query, headers }, context),
  "files.write": ({ query, headers, body }, context) => answerTo("files.write", { query, headers, body }, context),
  "files.append": ({ query, body }, context) => answerTo("files.append", { query, body }, context),
  "files.makeDirectory": ({ body: query }, context) => answerTo("files.makeDirectory", { query }, context),
  "files.move": ({ body: query }, context) => answerTo("files.move", { query }, context),
  "files.copy": ({ body: query }, context) => answerTo("files.copy", { query }, context),
  "files.delete": ({ query }, context) => answerTo("files.delete", { query }, context).then(() => undefined),
  "files.download": ({ query }, context) => bytesOf("files.download", { query }, context),
  "files.upload": ({ query, body }, context) => answerTo("files.upload", { query, body }, context),
  "files.search": ({ query }, context) => answerTo("files.search", { query }, context),
  "files.watch": async ({ query }, context) => {
    const lastEventId = String(context.headers["last-event-id"] ?? "") || undefined;
    const answer = await context.files.run("watch", { query, headers: { lastEventId } }, context);
    if (answer.kind !== "changes") throw wrongKind(answer);
    const frames = new ChangeFrames(answer.changes);
    return new FrameStream(frames, () => frames.position);
  },
} satisfies Partial<Routes>;

type FileId = Extract<OperationId, `files.${string}`>;

/** The value of an operation, which is what its row says. */
async function answerTo<Id extends FileId>(
  id: Id,
  request: FileRequest,
  context: RouteContext,
): Promise<Answer<Id> | WithStatus> {
  const answer = await context.files.run(wordOf(id), request, context);
  if (answer.kind !== "value") throw wrongKind(answer);
  const { status, headers, value } = answer;
  return status === undefined ? (value as Answer<Id>) : new WithStatus(status, value, headers);
}

async function bytesOf(id: FileId, request: FileRequest, context: RouteContext): Promise<ByteStream> {
  const answer = await context.files.run(wordOf(id), request, context);
  if (answer.kind !== "bytes") throw wrongKind(answer);
  return new ByteStream(answer.status, answer.headers, answer.bytes);
}

function wordOf(id: FileId): FileOperation {
  return id.slice("files.".length) as FileOperation;
}

function wrongKind({ kind }: FileAnswer): Error {
  return new Error(`files answered with ${kind}`);
}
