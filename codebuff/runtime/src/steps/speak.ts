import type { ToolOutput } from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { readCall } from "../calls/read-call.ts";
import { runCalls } from "../calls/run-calls.ts";
import { assistantText, callsAndResults } from "../history/messages.ts";
import { journalCalls } from "../run-agent-step.ts";
import { announce } from "../stream/process-stream.ts";
import { throwIfAborted } from "../until-cancelled.ts";
import { readXmlCalls, type XmlCall } from "../xml/call-reader.ts";
import { jsonCallElement, readXmlInput } from "../xml/parameters.ts";

/** STEP_TEXT: the text is the assistant's, and the calls written in it as XML are run. Returns the last call's output. */
export async function speak(run: AgentRun, text: string): Promise<ToolOutput | undefined> {
  const { emit, history, tree } = run;
  const now = tree.ports.clock.now();
  const { shown, calls } = readXmlCalls(text, [...run.usable, jsonCallElement]);
  if (shown.trim() !== "") {
    emit.say(shown);
    await history.append(assistantText(shown, now));
  }
  if (calls.length === 0) return undefined;
  const read = calls.map((call) => announce(run, readXmlCall(run, call)));
  await journalCalls(
    run,
    read.map(({ call }) => call),
  );
  const pending = read.map(({ call, refusal }) => ({ call, refusal: refusal?.message, isTrusted: false }));
  const answered = await runCalls(run, pending);
  await history.append(...callsAndResults(answered, tree.ports.clock.now()));
  throwIfAborted(tree.signal);
  return answered.at(-1)?.output;
}

function readXmlCall(run: AgentRun, call: XmlCall): ReturnType<typeof readCall> {
  const read = readXmlInput(call);
  if (read.ok) return readCall(run, read.name, JSON.stringify(read.input));
  const refused = readCall(run, read.name, "{}");
  return { ...refused, refusal: { code: "bad_arguments", message: read.errorMessage } };
}
