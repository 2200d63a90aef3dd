import type { CallId, CallInput, Client, Result, StreamId } from "@muster/client";
import { type OperationId, operations } from "@muster/schema";
import type { CommandEnvironment } from "./command-environment.ts";
import { exitCodes, type Format } from "./exit.ts";
import type { OperationInput } from "./operation-input.ts";
import { Output } from "./output.ts";
import { answerText } from "./text/answer-text.ts";
import { eventLine } from "./text/event-line.ts";
import { leftOutText } from "./text/left-out.ts";

export interface OperationRun {
  id: OperationId;
  input: OperationInput;
  client: Client;
  format: Format;
  stdout: CommandEnvironment["stdout"];
  stderr: CommandEnvironment["stderr"];
}

/** Calls the operation, writes its answer, and resolves with the exit code. A reader that leaves is a normal end. */
export async function runOperation({ id, input, client, format, stdout, stderr }: OperationRun): Promise<number> {
  const output = new Output(stdout);
  // Lines of an agent's protocol are written as they are, one per line, for the program that reads that agent.
  const isNative = input.query.as !== undefined;
  if (operations[id].answer === "sse") {
    return await runStream(id as StreamId, input, client, isNative ? "json" : format, output);
  }
  const answer = await client.call(id as CallId, input as CallInput<CallId>);
  if (isNative) {
    const { events, leftOut = {} } = answer as Result<"sessions.getEvents">;
    await output.write(events.map((line) => `${JSON.stringify(line)}\n`).join(""));
    stderr.write(leftOutText(leftOut));
    return output.end();
  }
  await output.write(format === "text" ? answerText(id, answer) : jsonText(answer));
  return output.end();
}

async function runStream(id: StreamId, input: OperationInput, client: Client, format: Format, output: Output) {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  const signal = AbortSignal.any([interrupted.signal, output.closed]);
  try {
    for await (const event of client.stream(id, { ...input, signal } as CallInput<StreamId>)) {
      await output.write(format === "text" ? eventLine(event) : `${JSON.stringify(event)}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    process.off("SIGINT", interrupt);
  }
  return interrupted.signal.aborted ? interruptedCode(id) : output.end();
}

/** Ctrl-C is the only end of a stream of events; for a message it means that the turn's end was not seen. */
function interruptedCode(id: StreamId): number {
  return operations[id].method === "GET" ? exitCodes.ok : exitCodes.interrupted;
}

function jsonText(answer: unknown): string {
  if (answer === undefined) return "";
  return typeof answer === "string" ? answer : `${JSON.stringify(answer)}\n`;
}
