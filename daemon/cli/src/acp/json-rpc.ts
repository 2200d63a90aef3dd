import type { Readable, Writable } from "node:stream";
import { Output, readLines } from "@muster/node";
import { Failure } from "@muster/schema";

/** Answers one method of the other side; what it throws becomes the error of the answer. */
export type Handler = (params: Record<string, unknown>) => unknown;

export interface PeerOptions {
  input: Readable;
  output: Writable;
  /** method → what answers it; also notifications, whose result nobody hears. */
  handlers: Readonly<Record<string, Handler>>;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A prompt holds a file at most; more is a mistake of the other side. */
const mostLineBytes = 64 * 1024 * 1024;

/** JSON-RPC 2.0 in both directions, one message per line. */
export class JsonRpcPeer {
  readonly #options: PeerOptions;
  readonly #output: Output;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answering = new Set<Promise<void>>();
  #lastId = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#output = new Output(options.output);
  }

  /** Reads until the other side has nothing more to say or no longer listens. */
  async run(): Promise<void> {
    const { input } = this.#options;
    const stop = () => void input.destroy();
    this.#output.closed.addEventListener("abort", stop, { once: true });
    try {
      for await (const line of readLines(input, { lineBytes: mostLineBytes, invalid: "replaced" })) {
        if (typeof line === "string") {
          if (line.trim() !== "") this.#hear(line);
        } else if (line.problem === "oversized") throw new Error("A line is too long");
      }
    } catch (error) {
      if (!this.#output.closed.aborted) throw error;
    } finally {
      this.#output.closed.removeEventListener("abort", stop);
      for (const { reject } of this.#waiting.values()) reject(new Error("The other side has gone"));
    }
  }

  /** Resolves when everything that was asked is answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#answering);
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    // Told to whoever waits for it; a peer that leaves before is no fault of ours.
    answer.catch(() => {});
    await this.#say({ jsonrpc: "2.0", id, method, params });
    return await answer;
  }

  async notify(method: string, params: object): Promise<void> {
    await this.#say({ jsonrpc: "2.0", method, params });
  }

  #hear(line: string): void {
    let message: Message;
    try {
      message = Object(JSON.parse(line));
    } catch (error) {
      void this.#say({ jsonrpc: "2.0", id: null, error: { code: -32700, message: (error as Error).message } });
      return;
    }
    if (typeof message.method !== "string") return this.#settle(message);
    const answering = this.#answer(message.method, message).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  }

  #settle({ id, result, error }: Message): void {
    const waiting = this.#waiting.get(Number(id));
    if (waiting === undefined) return;
    this.#waiting.delete(Number(id));
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }

  async #answer(method: string, { id, params }: Message): Promise<void> {
    const answer = (rest: object) => (id === undefined ? undefined : this.#say({ jsonrpc: "2.0", id, ...rest }));
    const handler = Object.hasOwn(this.#options.handlers, method) ? this.#options.handlers[method] : undefined;
    if (handler === undefined) return answer({ error: { code: -32601, message: `There is no ${method}` } });
    try {
      await answer({ result: (await handler(Object(params))) ?? {} });
    } catch (error) {
      await answer({ error: errorOf(error) });
    }
  }

  async #say(message: object): Promise<void> {
    await this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function errorOf(error: unknown): Message["error"] {
  if (!(error instanceof Failure)) return { code: -32603, message: (error as Error).message };
  const { code, fields } = error;
  return { code: rpcCodes[code] ?? -32603, message: error.message, data: { code, ...fields } };
}

/** problem → the error editors know: wrong parameters, not signed in, not there. */
const rpcCodes: Readonly<Record<string, number>> = {
  invalid_request: -32602,
  unsupported_option: -32602,
  credentials_required: -32000,
  unauthorized: -32000,
  session_not_found: -32002,
  session_deleted: -32002,
};
