import { Worker } from "node:worker_threads";
import type { Log, Steps, StepsStart } from "../ports.ts";
import { checkYield } from "../steps/local-steps.ts";
import { defaultIsolateLimits, type IsolateAnswer, type IsolateLimits, type IsolateStart } from "./limits.ts";

/** How long a thread may stay silent beyond its own limit before it is ended from outside. */
const graceMs = 2_000;
const startMs = 30_000;

export interface IsolateOptions {
  readonly limits?: Partial<IsolateLimits>;
  /** Where the thread's code lies, for programs that are bundled into one file. */
  readonly worker?: URL;
}

/**
 * Runs the text of a store agent's `handleSteps` in an isolate without Node: QuickJS in a thread of its own, with limits
 * of memory and of time per resume. The same protocol as a local generator; QuickJS is loaded when the first one starts.
 */
export async function startIsolatedSteps(
  source: string,
  start: StepsStart,
  options: IsolateOptions = {},
): Promise<Steps> {
  const limits = { ...defaultIsolateLimits, ...options.limits };
  const { agentState, prompt, params, log } = start;
  const input = JSON.stringify({ agentState, prompt, params });
  const thread = new IsolateThread({ source, input, limits }, options.worker ?? workerUrl());
  await thread.answer(startMs);
  return {
    async next(reply) {
      if (!thread.isOpen) return { type: "return" };
      thread.send(reply === undefined ? undefined : JSON.stringify(reply));
      return readAnswer(await thread.answer(limits.resumeMs + graceMs), thread, log);
    },
    close: () => thread.close(),
  };
}

function readAnswer(answer: IsolateAnswer, thread: IsolateThread, log: Log): Awaited<ReturnType<Steps["next"]>> {
  if (answer.type !== "ready") for (const line of answer.logs) log.warn(line);
  if (answer.type === "yield") return checkYield(withoutPlan(JSON.parse(answer.value)));
  thread.close();
  if (answer.type === "throw") throw new Error(answer.message);
  return { type: "return" };
}

/** Only local agents may mark a plan: it opens the gate for writing. */
function withoutPlan(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { plan: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

class IsolateThread {
  readonly #worker: Worker;
  readonly #answers: IsolateAnswer[] = [];
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  isOpen = true;

  constructor(start: IsolateStart, url: URL) {
    this.#worker = new Worker(url, {
      workerData: start,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 4 },
    });
    this.#worker.on("message", (answer: IsolateAnswer) => {
      this.#answers.push(answer);
      this.#wake?.();
    });
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("The isolate ended")));
  }

  send(reply: string | undefined): void {
    this.#worker.postMessage(reply);
  }

  /** The next answer; a thread that does not give it in time is ended. While nobody waits, it keeps no process alive. */
  async answer(limitMs: number): Promise<IsolateAnswer> {
    this.#worker.ref();
    const timer = setTimeout(() => this.#fail(new Error(`handleSteps did not answer for ${limitMs} ms`)), limitMs);
    try {
      while (this.#answers.length === 0 && this.#failure === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const answer = this.#answers.shift();
      if (answer !== undefined) return answer;
      this.close();
      throw this.#failure ?? new Error("The isolate ended");
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // Ending a thread cannot fail in a way that anybody could mend.
    this.#worker.terminate().catch(() => undefined);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}

/** From the sources (tests) the thread runs the build: Node reads no TypeScript there. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "../../dist/isolate/worker.js" : "./worker.js", import.meta.url);
}
