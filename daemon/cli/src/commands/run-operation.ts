import type { BytesId, CallId, CallInput, Client, Result, StreamId, UiId } from "@muster/client";
import { paintFor } from "@muster/core";
import { Output } from "@muster/node";
import { type OperationId, operations, type UniversalEvent } from "@muster/schema";
import { columnsOf } from "../environment/columns.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { exitCodes, type Format } from "../environment/exit.ts";
import { saveBytes } from "../fields/content-file.ts";
import type { OperationInput } from "../fields/operation-input.ts";
import { turnCodes } from "../talk/turn.ts";
import { answerText } from "../text/answer-text.ts";
import { ConversationText } from "../text/conversation-text.ts";
import { eventLine } from "../text/event-line.ts";
import { changeLine } from "../text/file-text.ts";
import { leftOutText } from "../text/left-out.ts";
import { chunkText } from "../text/process-text.ts";

/** What a stream tells: events, changes of files, or what a process writes. */
type Told = Result<StreamId>;

export interface OperationRun {
  id: OperationId;
  input: OperationInput;
  client: Client;
  format: Format;
  stdout: CommandEnvironment["stdout"];
  stderr: CommandEnvironment["stderr"];
  env: CommandEnvironment["env"];
  /** Text is one line for each event. */
  trace: boolean;
  /** The file that bytes are written to; standard output by default. */
  to?: string | undefined;
}

/** Streams of one session are a conversation to a person. */
export function isConversation(id: OperationId): boolean {
  return id === "sessions.streamMessage" || id === "sessions.streamEvents";
}

/** Calls the operation, writes its answer, and resolves with the exit code. A reader that leaves is a normal end. */
export async function runOperation(run: OperationRun): Promise<number> {
  const { id, input, client, format, stdout, stderr } = run;
  const output = new Output(stdout);
  // Lines of an agent's protocol are written as they are, one per line, for the program that reads that agent.
  const isNative = input.query.as !== undefined;
  if (operations[id].answer === "bytes") return await runBytes(run, output);
  if (operations[id].answer === "sse") {
    return await runStream(run, lineWriter(isNative ? { ...run, format: "json" } : run), output);
  }
  if (operations[id].answer === "ui") return await runChunks(run, output);
  const answer = await client.call(id as CallId, input as CallInput<CallId>);
  if (isNative) {
    const { events, leftOut = {} } = answer as Result<"sessions.getEvents">;
    await output.write(events.map((line) => `${JSON.stringify(line)}\n`).join(""));
    stderr.write(leftOutText(leftOut));
    return output.end();
  }
  const viewer = { columns: columnsOf(stdout), now: Date.now(), home: run.env.HOME };
  await output.write(format === "text" ? answerText(id, answer, input.params, viewer) : jsonText(answer));
  const isHealthy = id !== "sessions.create" || (answer as Result<"sessions.create">).healthy;
  return isHealthy ? output.end() : exitCodes.problem;
}

/** Bytes as they are, whatever the format: to a file, or to whoever reads standard output. */
async function runBytes({ id, input, client, to }: OperationRun, output: Output): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  const signal = AbortSignal.any([interrupted.signal, output.closed]);
  try {
    const { stream } = await client.bytes(id as BytesId, { ...input, signal } as CallInput<BytesId>);
    if (to !== undefined) await saveBytes(stream, to);
    else for await (const piece of stream) await output.write(piece);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    process.off("SIGINT", interrupt);
  }
  return interrupted.signal.aborted ? exitCodes.interrupted : output.end();
}

async function runStream({ id, input, client }: OperationRun, lineOf: (event: Told) => string, output: Output) {
  const streamId = id as StreamId;
  let code: number | undefined;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  const signal = AbortSignal.any([interrupted.signal, output.closed]);
  try {
    for await (const event of client.stream(streamId, { ...input, signal } as CallInput<StreamId>)) {
      await output.write(lineOf(event));
      if ("sessionId" in event) code = codeOf(event) ?? code;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    process.off("SIGINT", interrupt);
  }
  if (interrupted.signal.aborted) return interruptedCode(streamId);
  const end = output.end();
  return streamId === "sessions.streamMessage" ? (code ?? end) : end;
}

/** Chunks are for a program: one JSON line each, whatever the format. */
async function runChunks({ id, input, client }: OperationRun, output: Output): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  const signal = AbortSignal.any([interrupted.signal, output.closed]);
  let code: number | undefined;
  try {
    for await (const chunk of client.chunks(id as UiId, { ...input, signal } as CallInput<UiId>)) {
      await output.write(`${JSON.stringify(chunk)}\n`);
      if (chunk.type === "error") code = exitCodes.problem;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    process.off("SIGINT", interrupt);
  }
  return interrupted.signal.aborted ? exitCodes.interrupted : (code ?? output.end());
}

function lineWriter(run: OperationRun): (event: Told) => string {
  if (run.format === "json") return (event) => `${JSON.stringify(event)}\n`;
  const ofEvent = eventWriter(run);
  return (event) => {
    if ("sessionId" in event) return ofEvent(event);
    return "number" in event ? changeLine(event) : chunkText(event);
  };
}

function eventWriter({ id, trace, stdout, env }: OperationRun): (event: UniversalEvent) => string {
  if (trace || !isConversation(id)) return eventLine;
  const showsUser = id === "sessions.streamEvents";
  const columns = columnsOf(stdout);
  const conversation = new ConversationText({ paint: paintFor(stdout, env), showsUser, showsRequests: true, columns });
  return (event) => conversation.text(event);
}

/** What the end of a message tells the shell: the turn's, or that there will be none. */
function codeOf({ type, data }: UniversalEvent): number | undefined {
  if (type === "turn.ended") return turnCodes[data.status];
  return type === "message.updated" && (data.status === "failed" || data.status === "cancelled")
    ? exitCodes.problem
    : undefined;
}

/** Ctrl-C is the only end of a stream of events; for a message it means that the turn's end was not seen. */
function interruptedCode(id: StreamId): number {
  return operations[id].method === "GET" ? exitCodes.ok : exitCodes.interrupted;
}

function jsonText(answer: unknown): string {
  if (answer === undefined) return "";
  return typeof answer === "string" ? answer : `${JSON.stringify(answer)}\n`;
}
