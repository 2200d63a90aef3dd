import { setMaxListeners } from "node:events";
import {
  checkToolInput,
  errorOutput,
  interruptedMessage,
  isToolName,
  type ToolCall,
  type ToolCallResult,
  type ToolInput,
  ToolOutput,
  toolEffect,
} from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { Project } from "../files/access/project.ts";
import type { Gate } from "../policy/gate.ts";
import type { Mirror } from "../virtual/mirror.ts";
import { CallOrder, inOneAgent } from "./call-order.ts";
import { claimOf } from "./claims.ts";
import type { OutputRedaction } from "./output-redaction.ts";
import { Progress } from "./progress.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import type { CallContext, CustomTool, ToolHandlers } from "./tool-handler.ts";

export interface ToolRunnerOptions {
  readonly runId: string;
  readonly agentId: string;
  readonly project: Project;
  readonly gate: Gate;
  readonly handlers: ToolHandlers;
  /** Takes the place of a handler. */
  readonly overrides?: ToolHandlers;
  readonly customTools?: Readonly<Record<string, CustomTool>>;
  /** The session a terminal call of this agent goes to. */
  readonly sessionFor: (given: string | undefined) => string;
  /** Shared by everybody who works in the project. */
  readonly amongAgents: CallOrder;
  /** Of a virtual project: brought up to date before a call of ours, carried back after one that writes. */
  readonly mirror?: Mirror;
  readonly redaction: OutputRedaction;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Appendable pieces without escape sequences, at most ten a second and 64 KiB a call. */
  readonly onProgress?: (call: ToolCall, output: string) => void;
  /** Nothing earlier stands in the call's way any more. `edits` are the real paths an edit tool is about to change. */
  readonly onBegin?: (call: ToolCall, edits?: readonly string[]) => Promise<void>;
}

/** Runs the tool calls of one agent. Whatever a tool does, every call gets exactly one result. */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;
  readonly #order = new CallOrder(inOneAgent);
  #claiming: Promise<unknown> = Promise.resolve();

  constructor(options: ToolRunnerOptions) {
    this.#options = options;
  }

  /** The results stand in the order of the calls, however the calls overlapped. Never rejects. */
  async run(calls: readonly ToolCall[], options: CallOptions): Promise<ToolCallResult[]> {
    const signal = options.signal ?? new AbortController().signal;
    // Every waiting call listens; Node takes more than ten listeners for a leak.
    setMaxListeners(0, signal);
    return Promise.all(calls.map((call) => this.#runOne(call, options, signal)));
  }

  async #runOne(call: ToolCall, options: CallOptions, signal: AbortSignal): Promise<ToolCallResult> {
    const { toolName, toolCallId } = call;
    let output: ToolOutput;
    const time: CallTime = {};
    try {
      output = await settleAfterAbort(this.#queue(call, options, signal, time), signal, interrupted);
    } catch (error) {
      output = errorOutput(messageOf(error));
    }
    const { redaction } = this.#options;
    const isPrinted = redaction.applies(toolName, this.#custom(toolName) !== undefined);
    const shown = isPrinted ? await redaction.output(output) : output;
    // One that was interrupted has no time of its own: it may still go on.
    return { toolName, toolCallId, output: shown, ...(signal.aborted ? {} : time) };
  }

  async #queue(call: ToolCall, options: CallOptions, signal: AbortSignal, time: CallTime): Promise<ToolOutput> {
    const input = this.#check(call);
    const { project, sessionFor, amongAgents } = this.#options;
    // Looking up paths takes unequal time; places in the order are still given out as the calls came.
    const claim = this.#claiming.then(() => claimOf(call.toolName, input, { project, sessionFor }));
    this.#claiming = claim.catch(() => undefined);
    const mine = await claim;
    const work = async () => {
      await options.onBegin?.(call, mine.kind === "edit" ? [...mine.paths] : undefined);
      if (signal.aborted) return interrupted;
      const { context, close } = this.#context(call, options, signal);
      const begun = performance.now();
      // One that is left behind must not keep its place: others may wait for its paths.
      return settleAfterAbort(this.#execute(call.toolName, input, context), signal, interrupted).finally(() => {
        time.durationMs = Math.max(0, Math.round(performance.now() - begun - context.gate.waitedMs));
        close();
      });
    };
    return this.#order.run(mine, () => amongAgents.run(mine, work));
  }

  #check(call: ToolCall): unknown {
    const custom = this.#custom(call.toolName);
    if (custom !== undefined) return custom.checkInput === undefined ? call.input : custom.checkInput(call.input);
    if (!isToolName(call.toolName)) throw new Error(`There is no tool named ${call.toolName}`);
    const checked = checkToolInput(call.toolName, call.input);
    if (!checked.ok) throw new Error(checked.errorMessage);
    return checked.input;
  }

  async #execute(name: string, input: unknown, context: CallContext): Promise<ToolOutput> {
    const custom = this.#custom(name);
    const verdict = await context.gate.tool(
      name,
      custom && {
        effect: custom.effect ?? "writes",
        isForeign: custom.isForeign,
        fingerprint: custom.fingerprint,
      },
    );
    if (!verdict.ok) return errorOutput(verdict.message);
    if (custom?.isForeign === true) context.gate.readOutside(name);
    if (custom !== undefined) return asOutput(name, await custom.execute(input, context));
    const { overrides = {}, handlers, mirror } = this.#options;
    const override = isToolName(name) ? overrides[name] : undefined;
    const handler = override ?? (isToolName(name) ? handlers[name] : undefined);
    if (handler === undefined) throw new Error(`The tool ${name} is not available here`);
    if (override !== undefined) {
      const denial = await this.#judgeForOverride(name, input, context);
      if (denial !== undefined) return errorOutput(denial);
    }
    if (override === undefined) await mirror?.pull();
    const returned = await (handler as (input: unknown, context: CallContext) => unknown)(input, context);
    if (name === "read_url") context.gate.readOutside(name);
    if (isToolName(name) && toolEffect(name) === "writes") await mirror?.push();
    return asOutput(name, returned);
  }

  /** Our handlers judge commands themselves; those of an embedding program must not open a hole in PLAN. */
  async #judgeForOverride(name: string, input: unknown, { gate }: CallContext): Promise<string | undefined> {
    if (name !== "run_terminal_command") return undefined;
    const { command, input: typed, cwd } = input as ToolInput<"run_terminal_command">;
    if (command === undefined && typed === undefined) return undefined;
    const verdict =
      command !== undefined ? await gate.command(command, cwd, "elsewhere") : await gate.typed(typed ?? "", cwd);
    return verdict.ok ? undefined : verdict.message;
  }

  #custom(name: string): CustomTool | undefined {
    const tools = this.#options.customTools ?? {};
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  }

  /** Progress comes only between a call and its result: what a tool says later, or after the abort, is not heard. */
  #context(
    call: ToolCall,
    { onProgress }: CallOptions,
    signal: AbortSignal,
  ): { context: CallContext; close: () => void } {
    const { runId, agentId, gate, redaction } = this.#options;
    const { toolCallId } = call;
    const progress = new Progress((output) => onProgress?.(call, output));
    const context: CallContext = {
      toolCallId,
      runId,
      agentId,
      signal,
      progress: (output) => {
        if (!signal.aborted) progress.push(redaction.text(output));
      },
      gate: gate.forCall({ toolCallId, runId, agentId, signal }),
    };
    return { context, close: () => (signal.aborted ? progress.drop() : progress.end()) };
  }
}

/** Filled once the call has run: the time it waited for its place is not its own. */
interface CallTime {
  durationMs?: number;
}

const interrupted = errorOutput(interruptedMessage);

/** What a tool returned, once it is sure that it can be written down. */
function asOutput(name: string, returned: unknown): ToolOutput {
  let copy: unknown;
  try {
    copy = returned === undefined ? undefined : JSON.parse(JSON.stringify(returned));
  } catch (error) {
    throw new Error(`The tool ${name} returned something that is not JSON: ${messageOf(error)}`);
  }
  const output = ToolOutput.safeParse(copy);
  if (!output.success) throw new Error(`The tool ${name} did not return a list of output parts`);
  return output.data;
}
