import { setMaxListeners } from "node:events";
import {
  checkToolInput,
  errorOutput,
  isToolName,
  type ToolCall,
  type ToolCallResult,
  ToolOutput,
} from "@muster/codebuff-protocol";
import type { Project } from "../files/project.ts";
import type { Gate } from "../policy/gate.ts";
import { CallOrder } from "./call-order.ts";
import { claimOf } from "./claims.ts";
import type { CallContext, CustomTool, ToolHandlers } from "./tool-handler.ts";

/** How long a tool may take after an abort to hand over what it has. */
const lastWordsMs = 120;

export interface ToolRunnerOptions {
  readonly project: Project;
  readonly gate: Gate;
  readonly handlers: ToolHandlers;
  readonly customTools?: Readonly<Record<string, CustomTool>>;
}

export interface RunCallsOptions {
  readonly runId: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (call: ToolCall, output: string) => void;
}

/** Runs tool calls. Whatever a tool does, every call gets exactly one result. */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;
  readonly #order = new CallOrder();
  #claiming: Promise<unknown> = Promise.resolve();

  constructor(options: ToolRunnerOptions) {
    this.#options = options;
  }

  /** The results stand in the order of the calls, however the calls overlapped. Never rejects. */
  async run(calls: readonly ToolCall[], options: RunCallsOptions): Promise<ToolCallResult[]> {
    const signal = options.signal ?? new AbortController().signal;
    // Every waiting call listens; Node takes more than ten listeners for a leak.
    setMaxListeners(0, signal);
    return Promise.all(calls.map((call) => this.#runOne(call, options, signal)));
  }

  async #runOne(call: ToolCall, options: RunCallsOptions, signal: AbortSignal): Promise<ToolCallResult> {
    const { toolName, toolCallId } = call;
    let output: ToolOutput;
    try {
      output = await untilAborted(this.#queue(call, options, signal), signal);
    } catch (error) {
      output = errorOutput(messageOf(error));
    }
    return { toolName, toolCallId, output };
  }

  async #queue(call: ToolCall, options: RunCallsOptions, signal: AbortSignal): Promise<ToolOutput> {
    const input = this.#check(call);
    // Looking up paths takes unequal time; places in the order are still given out as the calls came.
    const claim = this.#claiming.then(() => claimOf(call.toolName, input, this.#options.project));
    this.#claiming = claim.catch(() => undefined);
    const mine = await claim;
    return this.#order.run(mine, async () => {
      if (signal.aborted) return interrupted;
      const { context, close } = contextOf(call, options, signal);
      return this.#execute(call.toolName, input, context).finally(close);
    });
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
    const verdict = await this.#options.gate.tool(name, ...(custom === undefined ? [] : [custom.effect ?? "writes"]));
    if (!verdict.ok) return errorOutput(verdict.message);
    if (custom !== undefined) return asOutput(name, await custom.execute(input, context));
    const handler = isToolName(name) ? this.#options.handlers[name] : undefined;
    if (handler === undefined) throw new Error(`The tool ${name} is not available here`);
    return asOutput(name, await (handler as (input: unknown, context: CallContext) => unknown)(input, context));
  }

  #custom(name: string): CustomTool | undefined {
    const tools = this.#options.customTools ?? {};
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  }
}

const interrupted = errorOutput("Interrupted by the user");

/** Progress comes only between a call and its result: what a tool says later, or after the abort, is not heard. */
function contextOf(
  call: ToolCall,
  { runId, onProgress }: RunCallsOptions,
  signal: AbortSignal,
): { context: CallContext; close: () => void } {
  let isOpen = true;
  const progress = (output: string) => {
    if (isOpen && !signal.aborted) onProgress?.(call, output);
  };
  const close = () => {
    isOpen = false;
  };
  return { context: { toolCallId: call.toolCallId, runId, signal, progress }, close };
}

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

/** After an abort the tool has a moment for its last words, then the call ends without it. */
function untilAborted(work: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(interrupted), lastWordsMs);
    };
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(settle);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
