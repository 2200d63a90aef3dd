import { isRecord } from "@muster/core";

export interface Answer {
  status: number;
  /** Parsed; undefined when there is none. */
  body: unknown;
}

export interface Request {
  method?: "GET" | "POST" | "PUT";
  path: string;
  /** The server keeps instances per directory; requests of a session go to the one it works in. */
  directory?: string | undefined;
  body?: unknown;
  timeoutMs?: number;
}

/** A machine under load has taken 27 s to open a directory. */
const patienceMs = 60_000;

/** The HTTP side of one `opencode serve`. */
export class OpencodeHttp {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(base: string, password: string) {
    this.#base = base;
    this.#headers = { authorization: `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}` };
  }

  /** Rejects when nobody answered in time, or with something that is not JSON. */
  async ask({ method = "GET", path, directory, body, timeoutMs = patienceMs }: Request): Promise<Answer> {
    const response = await fetch(this.#url(path, directory), {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (text === "") return { status: response.status, body: undefined };
    // Routes it does not know are answered 200 with a web page.
    const type = response.headers.get("content-type") ?? "";
    if (!type.includes("json")) throw new Error(`OpenCode answered ${method} ${path} with ${type || "no type"}`);
    return { status: response.status, body: JSON.parse(text) };
  }

  /** The body of a good answer. */
  async get(path: string, directory?: string, timeoutMs?: number): Promise<unknown> {
    const { status, body } = await this.ask({ path, directory, timeoutMs });
    if (status !== 200) throw new Error(`OpenCode answered ${status} to GET ${path}: ${problemOf(body)}`);
    return body;
  }

  /** A response that stays open, once its headers are there. */
  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const headers = { ...this.#headers, accept: "text/event-stream" };
    const response = await fetch(this.#url(path, undefined), { headers, signal });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !type.includes("event-stream") || response.body === null) {
      await response.body?.cancel();
      throw new Error(`OpenCode answered ${response.status} ${type} to GET ${path}`);
    }
    return response.body;
  }

  #url(path: string, directory: string | undefined): URL {
    const url = new URL(path, this.#base);
    if (directory !== undefined) url.searchParams.set("directory", directory);
    return url;
  }
}

/** Two shapes are in use: `{name, data: {message}}` and `{_tag, message}`. */
export function problemOf(body: unknown): string {
  if (!isRecord(body)) return "no reason given";
  const { data, message, name, _tag: tag } = body;
  const text = isRecord(data) && typeof data.message === "string" ? data.message : message;
  return [name ?? tag, text].filter((part) => typeof part === "string").join(": ") || "no reason given";
}
