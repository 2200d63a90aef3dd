import { type JsonResult, outputText, type PrintModeEvent, type PrintModeEventOf } from "@muster/codebuff-protocol";
import { paintFor, plain } from "@muster/core";
import type { Output } from "@muster/node";
import { CommandError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import type { TurnEnd } from "../run/conversation.ts";
import type { RunOptions } from "../run-options.ts";
import { formatDuration } from "../text/amounts.ts";
import { RunText } from "../text/run-text.ts";
import { TextJoiner } from "./join-text.ts";

/** Where the events of a one-shot run go. */
export interface Sink {
  event(event: PrintModeEvent): Promise<void>;
  /** The run is over, or was refused before it began. */
  end(end: TurnEnd): Promise<void>;
  /** The command could not even begin a run. */
  fail(error: CommandError): Promise<void>;
}

export function sinkFor(options: RunOptions, io: Io, output: Output): Sink {
  switch (options.format) {
    case "lines":
      return linesSink(output, options.quiet);
    case "object":
      return objectSink(output, options);
    case "text":
      return options.quiet ? quietTextSink(io, output) : textSink(options, io, output);
  }
}

/** `--stream-json`: one event per line. */
export function linesSink(output: Output, quiet: boolean): Sink {
  const joiner = new TextJoiner();
  return {
    async event(event) {
      for (const told of quiet ? joiner.take(event) : [event]) await output.writeJson(told);
    },
    async end() {},
    fail: (error) => output.writeJson(errorLine(error)),
  };
}

/** `--json`: one object, when everything is over. */
function objectSink(output: Output, { mode }: RunOptions): Sink {
  const startedMs = Date.now();
  let start: PrintModeEventOf<"start"> | undefined;
  let finish: PrintModeEventOf<"finish"> | undefined;
  return {
    async event(event) {
      if (event.type === "start") start = event;
      if (event.type === "finish") finish = event;
    },
    async end({ output: result, status, hasRun }) {
      if (!hasRun && result.type === "error") {
        return output.writeJson(
          errorLine(new CommandError(result.message, { code: result.error, statusCode: result.statusCode })),
        );
      }
      const {
        message,
        error: code,
        statusCode,
      } = result.type === "error" ? result : { message: `The run ended: ${status}` };
      const isError = result.type === "error" || status !== "completed";
      const object: JsonResult = {
        type: "result",
        sessionId: finish?.sessionId ?? start?.sessionId ?? "",
        agentId: finish?.agentId ?? start?.agentId ?? "",
        model: start?.model ?? "",
        mode,
        output: result,
        text: outputText(result),
        isError,
        error: isError ? { code: code ?? status, message, statusCode } : undefined,
        totalCost: finish?.totalCost ?? 0,
        totalCostUsd: finish?.totalCostUsd,
        usage: finish?.usage ?? {},
        steps: finish?.steps ?? 0,
        durationMs: Date.now() - startedMs,
      };
      await output.writeJson(object);
    },
    fail: (error) => output.writeJson(errorLine(error)),
  };
}

/** A long silence gets a line that says what is being waited for. */
const silenceMs = 30_000;

function textSink({ plain: asPlain }: RunOptions, io: Io, output: Output): Sink {
  const paint = asPlain ? plain : paintFor(io.stderr, io.env);
  const text = new RunText(paint, { clean: io.stdout.isTTY === true });
  let last = Date.now();
  const timer = setInterval(() => {
    const silent = Date.now() - last;
    if (silent >= silenceMs) io.stderr.write(paint.dim(`… ${text.busyWith} (${formatDuration(silent)})\n`));
  }, silenceMs / 2);
  timer.unref();
  return {
    async event(event) {
      last = Date.now();
      const { answer, notes } = text.write(event, last);
      await output.write(answer);
      if (notes !== "") io.stderr.write(notes);
    },
    async end(end) {
      clearInterval(timer);
      if (!end.hasRun) writeRefusal(end, io);
      else if (text.isMidLine) await output.write("\n");
    },
    async fail(error) {
      clearInterval(timer);
      io.stderr.write(describeFailure(error));
    },
  };
}

/** `-n -q`: the answer alone, when it is whole. */
function quietTextSink(io: Io, output: Output): Sink {
  return {
    async event() {},
    async end(end) {
      if (end.output.type === "error") writeRefusal(end, io);
      else await output.write(withLastNewline(outputText(end.output)));
    },
    async fail(error) {
      io.stderr.write(describeFailure(error));
    },
  };
}

/** A shell's prompt and a text file want it; nothing else is added to what the model wrote. */
function withLastNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function writeRefusal({ output }: TurnEnd, io: Io): void {
  if (output.type === "error") io.stderr.write(`codebuff: ${output.message}\n`);
}

export function errorLine({ message, code = "failed", statusCode }: CommandError): PrintModeEvent {
  return { type: "error", code, message, statusCode, fatal: true };
}

function describeFailure({ message, code }: CommandError): string {
  return code === "no_credentials" ? waysToBegin : `codebuff: ${message}\n`;
}

const waysToBegin = `codebuff: there is no key yet. Three ways to begin:

  a key of your own     export ANTHROPIC_API_KEY=…   or OPENAI_API_KEY, OPENROUTER_API_KEY, GEMINI_API_KEY
  a Codebuff server     codebuff login --base-url https://…
  offline, to try it    codebuff --demo "show me"

codebuff doctor tells what is found on this machine.
`;
