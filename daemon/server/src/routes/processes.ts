import { settlesWithin } from "@muster/core";
import { FrameStream } from "@muster/http";
import { Failure } from "@muster/schema/wire";
import { VisibleProcesses } from "../engine/visible-processes.ts";
import { processFrames, withText } from "../frames/process-frames.ts";
import { lastEventId } from "./last-event-id.ts";
import type { RouteContext, Routes } from "./route.ts";

const pageBytes = 1024 * 1024;
const waitMs = 60_000;
const endGraceMs = 2_000;

export const processRoutes = {
  "processes.run": async ({ body }, context) => {
    const { runProcess } = await import("@muster/sandbox");
    const given = await (await visible(context)).owned(body);
    return runProcess(await context.processes.get(), given);
  },
  "processes.start": async ({ params, body }, context) => {
    const given = await (await visible(context)).owned(body);
    const processes = await context.processes.get({ terminal: body.pty !== undefined });
    const process = await processes.start({ ...given, processId: params.processId });
    // From its first byte on somebody answers what the program asks its terminal.
    if (body.pty !== undefined) await (await context.processes.terminals()).watch(process, { isNew: true });
    return process.view;
  },
  "processes.list": async ({ query }, context) => {
    const listed = await (await visible(context)).list(query);
    return { processes: listed.map(({ view }) => view) };
  },
  "processes.get": async ({ params }, context) => (await processOf(params, context)).view,
  "processes.wait": async ({ params, query }, context) => {
    const process = await processOf(params, context);
    await settlesWithin(process.ended, query.timeoutMs ?? waitMs);
    return process.view;
  },
  "processes.getLogs": async ({ params, query }, context) => {
    const process = await processOf(params, context);
    const { chunks, ...page } = await process.read(query.offset ?? 0, query.limit ?? pageBytes);
    return { chunks: query.text ? chunks.map(withText) : chunks, ...page };
  },
  "processes.streamLogs": async ({ params, query }, context) => {
    const process = await processOf(params, context);
    const reader = await process.reader(lastEventId(context.headers) ?? query.offset ?? 0);
    return new FrameStream(processFrames(reader, query.text === true), () => reader.position);
  },
  "processes.input": async ({ params, body }, context) => {
    const { text, data, end } = body;
    if (text !== undefined && data !== undefined) {
      throw new Failure("invalid_request", "Give either text or data, not both");
    }
    const process = await processOf(params, context);
    await process.input(data === undefined ? Buffer.from(text ?? "") : Buffer.from(data, "base64"));
    if (end) process.closeInput();
    return undefined;
  },
  "processes.signal": async ({ params, body }, context) => {
    (await processOf(params, context)).signal(body.signal ?? "SIGTERM");
    return undefined;
  },
  "processes.resize": async ({ params, body }, context) => {
    (await processOf(params, context)).resize(body);
    return undefined;
  },
  "processes.end": async ({ params, body }, context) => {
    const process = await processOf(params, context);
    await process.end(body.graceMs ?? endGraceMs);
    return process.view;
  },
  "processes.delete": async ({ params }, context) => {
    await (await visible(context)).delete(params.processId);
    return undefined;
  },
  "processes.ports": async ({ params }, context) => {
    context.processes.checkPorts();
    return { ports: await (await processOf(params, context)).ports() };
  },
} satisfies Partial<Routes>;

async function visible({ processes, sessions, grant }: RouteContext): Promise<VisibleProcesses> {
  return new VisibleProcesses(await processes.get(), sessions, grant);
}

async function processOf({ processId }: { processId: string }, context: RouteContext) {
  return (await visible(context)).get(processId);
}
