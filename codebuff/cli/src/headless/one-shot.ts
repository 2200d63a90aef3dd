import { randomUUID } from "node:crypto";
import { Steering } from "@muster/codebuff-sdk";
import { Output } from "@muster/node";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { Conversation } from "../run/conversation.ts";
import { manners } from "../run/manners.ts";
import { type Stop, Stopper } from "../run/stopper.ts";
import type { RunOptions } from "../run-options.ts";
import { askOnTerminal } from "../text/ask-on-terminal.ts";
import { agentUsage, turnOf } from "./agent-command.ts";
import { readControlLines } from "./control-lines.ts";
import { exitCodeOf } from "./exit-code.ts";
import { OpenAsks } from "./open-asks.ts";
import { readPrompt } from "./read-prompt.ts";
import { type Sink, sinkFor } from "./sinks.ts";
import { tellRun } from "./tell-run.ts";

/** Runs one prompt to its end and exits. */
export async function runOneShot(options: RunOptions, io: Io): Promise<number> {
  // With a prompt and --stream-json standard input is the control channel; a terminal has a person to ask.
  const hasChannel = options.format === "lines" && options.prompt !== undefined && !io.stdin.isTTY;
  const prompt = await readPrompt({ given: options.prompt, isChannel: hasChannel }, io);
  const output = new Output(io.stdout);
  const sink = sinkFor(options, io, output);
  const asks = new OpenAsks({ isListening: hasChannel });
  const hasPerson = options.format === "text" && io.stdin.isTTY === true && io.stderr.isTTY === true;
  const ask = hasPerson ? askOnTerminal(io) : asks.ask;
  try {
    const turn = turnOf(prompt);
    if (turn.prompt === "") throw new CommandError(agentUsage, { code: "usage", exitCode: exitCodes.usage });
    const { conversation } = await Conversation.open({ options, io, manner: manners.oneShot, ask });
    try {
      const stopper = stopperFor(options, io, output);
      const steering = new Steering({
        onJoined: (messageId) => void output.writeJson({ type: "user_message_joined", messageId }),
      });
      const tooLate = turn.agentMode ? taskTakesNone : runHasEnded;
      if (hasChannel) void followChannel(io, { asks, stopper, steering, sink, tooLate });
      const run = conversation.run({ ...turn, messageId: randomUUID(), settings: options, stopper, steering });
      const end = await tellRun(run, { asks, sink });
      stopper.close();
      await sink.end(end);
      return exitCodeOf(end);
    } finally {
      await conversation.close();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await sink.fail(error);
    return error.exitCode;
  }
}

export function stopperFor({ timeoutMs }: Pick<RunOptions, "timeoutMs">, io: Io, output: Output): Stopper {
  const stopper = new Stopper();
  stopper.follow(io.interrupted, (signal) => signal as Stop);
  stopper.follow(output.closed, () => "nobody_reads");
  stopper.stopAfter(timeoutMs);
  return stopper;
}

const runHasEnded = "The run has ended already";
const taskTakesNone =
  "A task of agent mode takes no messages while it works: cancel it, or go on with --continue when it has ended";

interface Channel {
  readonly asks: OpenAsks;
  readonly stopper: Stopper;
  readonly steering: Steering;
  readonly sink: Sink;
  /** What a message is told that can no longer join. */
  readonly tooLate: string;
}

async function followChannel(io: Io, { asks, stopper, steering, sink, tooLate }: Channel): Promise<void> {
  const complain = (message: string) => sink.event({ type: "error", code: "bad_input", message, fatal: false });
  for await (const line of readControlLines(io.stdin)) {
    switch (line.type) {
      case "user_message": {
        const content = [{ type: "text" as const, text: line.text }, ...(line.content ?? [])];
        if (steering.send({ content }, line.messageId) === undefined) await complain(tooLate);
        break;
      }
      case "tool_result":
        if (!asks.answer(line.toolCallId, line.output)) await complain(`Nothing is asked under ${line.toolCallId}`);
        break;
      case "cancel":
        stopper.stop("cancel");
        break;
      case "update":
        await complain("An update holds from the next run on, and this process has only one");
        break;
      case "rewind":
        await complain("A rewind takes a process that is kept open");
        break;
      case "bad_line":
        await complain(line.message);
    }
  }
  asks.stopListening();
}
