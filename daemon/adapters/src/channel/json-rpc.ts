/**
 * JSON-RPC over lines. Both sides ask and answer, each with ids of its own that may be equal: whether a message is a
 * request, a notification or a response is told by which of `id` and `method` it has.
 */
export type RpcId = string | number;

export interface RpcRequest {
  id: RpcId;
  method: string;
  params?: unknown;
}

interface RpcNotification {
  method: string;
  params?: unknown;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type RpcResponse = { id: RpcId; result: unknown } | { id: RpcId; error: RpcError };

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** The code for whatever the other side asked and we do not do. */
const methodNotFound = -32601;

export function isRpcMessage(value: unknown): value is RpcMessage {
  if (typeof value !== "object" || value === null) return false;
  const hasMethod = "method" in value && typeof value.method === "string";
  if (!("id" in value)) return hasMethod;
  if (typeof value.id !== "string" && typeof value.id !== "number") return false;
  if (hasMethod || !("error" in value) || value.error === null) return hasMethod || "result" in value;
  return typeof value.error === "object" && "message" in value.error && typeof value.error.message === "string";
}

export function isRequest(message: RpcMessage): message is RpcRequest {
  return "id" in message && "method" in message;
}

export function isResponse(message: RpcMessage): message is RpcResponse {
  return "id" in message && !("method" in message);
}

export function refusal(id: RpcId, message: string, code = methodNotFound): RpcResponse {
  return { id, error: { code, message } };
}

/** What the other side answered instead of a result. */
export class RpcFailure extends Error {
  override readonly name = "RpcFailure";
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Requests of ours that wait for their answers. Every wait has an end. */
export class PendingCalls {
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #prefix: string;
  #next = 1;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The request to send, and its answer: rejects with `RpcFailure`, or when none came within `timeoutMs`. */
  begin(method: string, params: unknown, timeoutMs: number): { request: RpcRequest; result: Promise<unknown> } {
    const id = `${this.#prefix}${this.#next++}`;
    const result = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`No answer to ${method} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
    });
    return { request: { id, method, params }, result };
  }

  /** False when nobody waits for this answer. */
  settle(response: RpcResponse): boolean {
    const waiting = this.#take(response.id);
    if (waiting === undefined) return false;
    // Some say `"error": null` beside a result.
    if ("error" in response && response.error) waiting.reject(new RpcFailure(response.error));
    else waiting.resolve("result" in response ? response.result : undefined);
    return true;
  }

  /** The other side is gone. */
  failAll(error: Error): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(error);
  }

  #take(id: RpcId): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    return waiting;
  }
}
