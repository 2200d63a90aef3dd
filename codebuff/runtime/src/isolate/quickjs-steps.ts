import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import type { IsolateAnswer, IsolateLimits, IsolateStart } from "./limits.ts";

/** More would let deep recursion overflow the host's stack instead of the guest's. */
const stackBytes = 192 << 10;
const pageBytes = 64 << 10;
/** What the WebAssembly module asks for at its start: 16 MiB. */
const firstPages = 256;

/**
 * Runs the text of a generator function inside QuickJS. Everything crosses the border as JSON text; the realm has the
 * language and nothing else: no process, no modules, no network, no timers.
 */
export async function openQuickJsSteps(start: IsolateStart): Promise<(reply: string | undefined) => IsolateAnswer> {
  const quickJs = await newQuickJSWASMModuleFromVariant(
    // Its declarations are those of a CommonJS module; imported as a module the default is the variant itself.
    // The memory's type exists only where some package brings the DOM's types along.
    newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: newMemory(start.limits) as never }),
  );
  const runtime = quickJs.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  let deadline = 0;
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const context = runtime.newContext();
  let resume: QuickJSHandle | undefined;
  return (reply) => {
    deadline = Date.now() + start.limits.resumeMs;
    try {
      resume ??= begin(context, start);
      return readStep(call(context, resume, reply), start.limits);
    } catch (error) {
      return { type: "throw", message: explain(error, start.limits), logs: [] };
    }
  };
}

/**
 * QuickJS counts what it allocates, but not what grows in place (0.32: an array bomb took 1.8 GB under a limit of 16 MiB).
 * The memory of the WebAssembly instance is the limit that holds.
 */
function newMemory({ memoryBytes }: IsolateLimits): object {
  const maximum = Math.max(firstPages, Math.ceil(memoryBytes / pageBytes));
  return new WebAssembly.Memory({ initial: firstPages, maximum });
}

// Node has it; the types of Node 20 do not say so.
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => object;
};

/** Taken before the foreign text is read, so that it cannot put its own JSON in their place. */
const bootstrap = `(() => {
  const { parse, stringify } = JSON;
  return (handleSteps, inputText) => {
    let logs = [];
    const say = (data, message) => {
      if (logs.length < 100) logs.push(String(stringify([message, data])).slice(0, 500));
    };
    const quiet = () => undefined;
    const input = parse(inputText);
    input.logger = { debug: quiet, info: quiet, warn: say, error: say };
    const generator = handleSteps(input);
    if (typeof generator?.next !== "function" || typeof generator[Symbol.iterator] !== "function") {
      throw new TypeError("handleSteps must be a generator function (function*)");
    }
    return (replyText) => {
      logs = [];
      const step = generator.next(replyText === undefined ? undefined : parse(replyText));
      const value = step.done ? undefined : stringify(step.value);
      return stringify({ done: step.done === true, value, logs });
    };
  };
})()`;

function begin(context: QuickJSContext, { source, input }: IsolateStart): QuickJSHandle {
  const prepare = unwrap(context, context.evalCode(bootstrap, "bootstrap"));
  const handleSteps = unwrap(context, context.evalCode(`(${source}\n)`, "handleSteps"));
  const inputText = context.newString(input);
  const resume = unwrap(context, context.callFunction(prepare, context.undefined, handleSteps, inputText));
  for (const handle of [prepare, handleSteps, inputText]) handle.dispose();
  return resume;
}

function call(context: QuickJSContext, resume: QuickJSHandle, reply: string | undefined): unknown {
  const replyText = reply === undefined ? context.undefined : context.newString(reply);
  const result = unwrap(context, context.callFunction(resume, context.undefined, replyText));
  const text = context.dump(result);
  for (const handle of [replyText, result]) handle.dispose();
  return text;
}

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle {
  if (result.error === undefined) return result.value;
  const thrown: unknown = context.dump(result.error);
  result.error.dispose();
  throw new GuestError(thrown);
}

class GuestError extends Error {
  constructor(thrown: unknown) {
    const { name, message } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<string, unknown>;
    super(typeof message === "string" ? message : String(thrown));
    this.name = typeof name === "string" ? name : "Error";
  }
}

function readStep(text: unknown, limits: IsolateLimits): IsolateAnswer {
  if (typeof text !== "string") throw new Error("handleSteps yielded something that is not JSON");
  if (text.length > limits.yieldCharacters) throw new Error(`handleSteps yielded ${text.length} characters at once`);
  const { done, value, logs } = JSON.parse(text) as { done: boolean; value?: string; logs: string[] };
  return done ? { type: "return", logs } : { type: "yield", value: value ?? "null", logs };
}

/** A guest without memory cannot even make its error: then null is thrown, or the instance traps. */
function explain(error: unknown, limits: IsolateLimits): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (message === "interrupted") return `handleSteps ran longer than ${limits.resumeMs} ms without a yield`;
  if (message === "out of memory" || message === "null" || name === "RuntimeError") {
    return `handleSteps needed more than ${limits.memoryBytes >> 20} MiB of memory`;
  }
  return message;
}
