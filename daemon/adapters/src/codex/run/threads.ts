import {
  isRequest,
  isResponse,
  isRpcMessage,
  type PendingCalls,
  type RpcRequest,
  type RpcResponse,
  refusal,
} from "../../channel/json-rpc.ts";
import type { ServerProtocol } from "../../shared-server/demultiplexer.ts";

/** Between the thread's id and our own name of a request. */
const separator = "//";
const closing = "closing";

/**
 * The threads of one app-server, as far as the wire tells: whose line is whose, which turns are open and which threads
 * belong to sub-agents. Needed to end a session in the middle of its work.
 */
export class Threads implements ServerProtocol {
  readonly #calls: PendingCalls;
  readonly #reply: (line: RpcResponse) => void;
  readonly #turns = new Map<string, string>();
  readonly #parents = new Map<string, string>();

  constructor(calls: PendingCalls, reply: (line: RpcResponse) => void) {
    this.#calls = calls;
    this.#reply = reply;
  }

  route(native: unknown): string | null {
    if (!isRpcMessage(native)) return null;
    if (isResponse(native)) return this.#routeResponse(native);
    const threadId = threadOf(native.params);
    if (threadId !== null) this.#note(threadId, native);
    return threadId;
  }

  take(native: unknown): boolean {
    if (!isRpcMessage(native)) return false;
    if (isResponse(native)) return this.#calls.settle(native);
    // Answered in any case: Codex waits for it. It stays in the log.
    if (isRequest(native)) this.#reply(refusal(native.id, `This client does not answer ${native.method}`));
    return false;
  }

  closes(native: unknown): boolean {
    return isRpcMessage(native) && isResponse(native) && String(native.id).endsWith(`${separator}${closing}`);
  }

  adopts(native: unknown): string | undefined {
    const child = childOf(native);
    const threadId = isRpcMessage(native) && "params" in native ? threadOf(native.params) : null;
    if (child !== undefined && threadId !== null) this.#parents.set(child, threadId);
    return child;
  }

  /** Ends whatever a session still does, in its own thread and in those of its sub-agents, and takes leave of it. */
  closingLines(threadId: string): RpcRequest[] {
    const family = [threadId, ...this.#descendants(threadId)];
    const lines = family.flatMap((member) => {
      const turnId = this.#turns.get(member);
      const stop = turnId === undefined ? [] : [request(member, "turn/interrupt", { turnId })];
      return [...stop, request(member, "thread/backgroundTerminals/clean", {})];
    });
    for (const child of family.slice(1)) {
      lines.push(request(child, "thread/unsubscribe", {}));
      this.#parents.delete(child);
    }
    return [...lines, { ...request(threadId, "thread/unsubscribe", {}), id: `${threadId}${separator}${closing}` }];
  }

  /** The answer that opens a thread is both ours and the first line of its session. */
  #routeResponse(line: RpcResponse): string | null {
    const id = String(line.id);
    const at = id.indexOf(separator);
    if (at >= 0) return id.slice(0, at);
    const threadId = "result" in line ? threadOf(line.result) : null;
    return threadId !== null && this.#calls.settle(line) ? threadId : null;
  }

  #note(threadId: string, { method, params }: { method: string; params?: unknown }): void {
    if (method === "turn/completed") this.#turns.delete(threadId);
    if (method !== "turn/started") return;
    const { turn } = params as { turn?: { id?: unknown } };
    if (typeof turn?.id === "string") this.#turns.set(threadId, turn.id);
  }

  #descendants(threadId: string): string[] {
    const children = [...this.#parents].filter(([, parent]) => parent === threadId).map(([child]) => child);
    return [...children, ...children.flatMap((child) => this.#descendants(child))];
  }
}

/** Puts the thread on a line of its session: on the params of a request, and on its id so that the answer comes back. */
export function addressTo(threadId: string, line: object): object {
  if (!isRpcMessage(line) || !isRequest(line)) return line;
  const params = typeof line.params === "object" && line.params !== null ? line.params : {};
  return { ...line, id: `${threadId}${separator}${line.id}`, params: { threadId, ...params } };
}

function request(threadId: string, method: string, params: object): RpcRequest {
  return { id: `${threadId}${separator}${method}:0`, method, params: { threadId, ...params } };
}

function threadOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null) return null;
  if ("threadId" in params && typeof params.threadId === "string") return params.threadId;
  const thread = "thread" in params ? params.thread : null;
  if (typeof thread !== "object" || thread === null || !("id" in thread)) return null;
  return typeof thread.id === "string" ? thread.id : null;
}

function childOf(native: unknown): string | undefined {
  if (!isRpcMessage(native) || isResponse(native) || native.method !== "item/started") return undefined;
  const { item } = native.params as { item?: { type?: unknown; agentThreadId?: unknown } };
  if (item?.type !== "subAgentActivity" || typeof item.agentThreadId !== "string") return undefined;
  return item.agentThreadId;
}
