import { type Frame, readFrames } from "@muster/client";
import type { Problem, Session, UniversalEvent } from "@muster/schema";

export interface Answered<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** A daemon as any client sees it: HTTP and nothing else. */
export class DaemonApi {
  readonly baseUrl: string;
  readonly #token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.baseUrl = baseUrl;
    this.#token = token;
  }

  /** Asks and takes whatever comes. */
  async request<T = Problem>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered<T>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...this.#headers(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  /** Asks for something that must succeed. */
  async ask<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const answer = await this.request<T>(method, path, body, headers);
    if (answer.status < 400) return answer.body;
    throw new Error(`${method} ${path} → ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  get<T>(path: string): Promise<T> {
    return this.ask<T>("GET", path);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.ask<T>("POST", path, body);
  }

  session(sessionId: string): Promise<Session> {
    return this.get(`/sessions/${sessionId}`);
  }

  /** Opens a stream that must be accepted. Leaving the iteration or aborting closes the connection. */
  async stream(
    path: string,
    {
      signal,
      headers = {},
      ...init
    }: { signal?: AbortSignal; headers?: Record<string, string>; method?: string; body?: string } = {},
  ): Promise<AsyncGenerator<Frame>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      ...init,
      headers: { ...this.#headers(), ...headers },
      signal,
    });
    if (response.ok && response.body) return readFrames(response.body);
    throw new Error(`GET ${path} → ${response.status} ${await response.text()}`);
  }

  /** Sends a message and opens the stream of its turn. */
  streamMessage(path: string, message: object, signal?: AbortSignal): Promise<AsyncGenerator<Frame>> {
    const headers = { "content-type": "application/json" };
    return this.stream(`${path}/messages/stream`, { method: "POST", headers, body: JSON.stringify(message), signal });
  }

  /** The whole log, page by page. */
  async log(sessionId: string, limit = 10_000): Promise<UniversalEvent[]> {
    const events: UniversalEvent[] = [];
    for (;;) {
      const offset = events.at(-1)?.sequence ?? 0;
      const page = await this.get<{ events: UniversalEvent[]; hasMore: boolean }>(
        `/sessions/${sessionId}/events?offset=${offset}&limit=${limit}`,
      );
      events.push(...page.events);
      if (!page.hasMore) return events;
    }
  }

  #headers(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
  }
}
