import { randomUUID } from "node:crypto";
import type { ControlLine, ModeName, ReadyLine } from "@muster/codebuff-protocol";
import { Steering, type SteeringMessage } from "@muster/codebuff-sdk";
import { Output } from "@muster/node";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { Conversation, type OpenConversation, type Turn } from "../run/conversation.ts";
import { manners } from "../run/manners.ts";
import type { Stopper } from "../run/stopper.ts";
import { permissionPolicies, type RunOptions, type Settings, variants } from "../run-options.ts";
import { version } from "../version.ts";
import { agentUsage, turnOf } from "./agent-command.ts";
import { readControlLines } from "./control-lines.ts";
import { exitCodeOf } from "./exit-code.ts";
import { stopperFor } from "./one-shot.ts";
import { OpenAsks } from "./open-asks.ts";
import { errorLine, linesSink, type Sink } from "./sinks.ts";
import { tellRun } from "./tell-run.ts";

type UserMessage = Extract<ControlLine, { type: "user_message" }>;
type Update = Extract<ControlLine, { type: "update" }>;

/** A process that stays: messages come as lines, each begins a run or steers the one that is going on (A-15b). */
export async function keepOpen(options: RunOptions, io: Io): Promise<number> {
  const output = new Output(io.stdout);
  const asks = new OpenAsks({ isListening: true });
  try {
    const opened = await Conversation.open({ options, io, manner: manners.keptOpen, ask: asks.ask });
    const { conversation } = opened;
    try {
      await output.writeJson(describe(opened, options));
      return await new OpenProcess({ options, io, output, asks, conversation }).serve();
    } finally {
      await conversation.close();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await output.writeJson(errorLine(error));
    return error.exitCode;
  }
}

function describe({ planned, id, historyLength, contextLost }: OpenConversation, { cwd, mode }: RunOptions): ReadyLine {
  const { agentId, model } = planned;
  return {
    type: "ready",
    sessionId: id,
    version,
    cwd,
    model,
    agentId,
    mode,
    messageHistoryLength: historyLength,
    contextLost: contextLost || undefined,
  };
}

interface Parts {
  readonly options: RunOptions;
  readonly io: Io;
  readonly output: Output;
  readonly asks: OpenAsks;
  readonly conversation: Conversation;
}

/** A message that waits for its run. */
type Waiting = Pick<Turn, "prompt" | "agentMode" | "content" | "messageId"> & { readonly mode?: ModeName };

class OpenProcess {
  readonly #parts: Parts;
  readonly #sink: Sink;
  readonly #waiting: Waiting[] = [];
  #settings: Settings;
  #run: { readonly steering: Steering; readonly stopper: Stopper } | undefined;
  #working: Promise<void> = Promise.resolve();
  #exitCode: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#settings = parts.options;
    this.#sink = linesSink(parts.output, parts.options.quiet);
  }

  async serve(): Promise<number> {
    const { io, output, asks } = this.#parts;
    const leave = AbortSignal.any([io.interrupted, output.closed]);
    // A reader that waits for the next line has to be woken: what ends the process also ends its input.
    leave.addEventListener("abort", () => io.stdin.destroy(), { once: true });
    try {
      for await (const line of readControlLines(io.stdin)) {
        if (leave.aborted) break;
        await this.#take(line);
      }
    } catch (error) {
      if (!leave.aborted) throw error;
    }
    asks.stopListening();
    await this.#working;
    return this.#exitCode ?? (io.interrupted.aborted ? signalCode(io.interrupted.reason) : exitCodes.ok);
  }

  async #take(line: ControlLine | { type: "bad_line"; message: string }): Promise<void> {
    switch (line.type) {
      case "user_message":
        return this.#receive(line);
      case "tool_result":
        if (this.#parts.asks.answer(line.toolCallId, line.output)) return;
        return this.#complain(`Nothing is asked under ${line.toolCallId}`);
      case "cancel":
        return this.#run?.stopper.stop("cancel");
      case "update":
        return this.#update(line);
      case "rewind":
        return this.#rewind(line.to);
      case "bad_line":
        return this.#complain(line.message);
    }
  }

  async #rewind(to: number): Promise<void> {
    if (this.#run !== undefined || this.#waiting.length > 0)
      return this.#complain("A run is going on: cancel it first");
    // The end of a run that has just finished may be on its way to the file.
    await this.#working;
    const rewound = await this.#parts.conversation.rewind(to);
    if (rewound === undefined) return this.#complain(`There is no entry ${to}`);
    const { entry, messages } = rewound;
    await this.#parts.output.writeJson({ type: "rewound", to, entry, messageHistoryLength: messages });
  }

  /** Into the run that is going on; when that has ended, or there is none, a run of its own. */
  async #receive({ text, content = [], mode, messageId = randomUUID() }: UserMessage): Promise<void> {
    const { prompt, agentMode } = turnOf(text);
    if (agentMode && prompt === "" && content.length === 0) return this.#complain(agentUsage);
    const parts = text === "" ? content : [{ type: "text" as const, text }, ...content];
    // A task of agent mode is a run of its own.
    if (!agentMode && this.#run?.steering.send({ content: parts }, messageId) !== undefined) return;
    this.#waiting.push({ prompt, agentMode, content, messageId, mode });
    this.#working = this.#working.then(() => this.#runWaiting());
  }

  async #runWaiting(): Promise<void> {
    const next = this.#waiting.shift();
    const { options, io, output, asks, conversation } = this.#parts;
    if (next === undefined || io.interrupted.aborted || output.closed.aborted) return;
    const stopper = stopperFor(options, io, output);
    const steering = new Steering({
      onJoined: (messageId) => void output.writeJson({ type: "user_message_joined", messageId }),
    });
    this.#run = { steering, stopper };
    try {
      const { mode = this.#settings.mode, ...turn } = next;
      const run = conversation.run({ ...turn, settings: { ...this.#settings, mode }, stopper, steering });
      const end = await tellRun(run, { asks, sink: this.#sink });
      if (!end.hasRun) this.#exitCode = exitCodeOf(end);
    } finally {
      this.#run = undefined;
      stopper.close();
      steering.close();
    }
    // Steering of a run that was cancelled is cancelled with it.
    if (stopper.reason === "cancel") return;
    for (const late of steering.left) await this.#receive(asMessage(late));
  }

  async #update({ mode, model, variant, permissions }: Update): Promise<void> {
    const known = variants.find((one) => one === variant);
    const policy = permissionPolicies.find((one) => one === permissions);
    if (variant !== undefined && known === undefined) return this.#complain(`There is no variant ${variant}`);
    if (permissions !== undefined && policy === undefined) return this.#complain(`There is no policy ${permissions}`);
    const settings = this.#settings;
    this.#settings = {
      mode: mode ?? settings.mode,
      model: model ?? settings.model,
      variant: known ?? settings.variant,
      permissions: policy ?? settings.permissions,
    };
  }

  #complain(message: string): Promise<void> {
    return this.#sink.event({ type: "error", code: "bad_input", message, fatal: false });
  }
}

function asMessage({ messageId, content }: SteeringMessage): UserMessage {
  return { type: "user_message", messageId, text: "", content: [...content] };
}

function signalCode(signal: unknown): number {
  return signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
}
