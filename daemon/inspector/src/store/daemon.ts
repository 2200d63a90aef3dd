import { type Client, createClient } from "@muster/client";
import { Observable } from "@muster/web-parts";
import { type RequestLine, shownBody } from "../model/snippets.ts";
import { forgetKey, keptKey } from "./access.ts";
import { isUnauthorized } from "./failures.ts";

export interface SentRequest extends RequestLine {
  time: number;
  /** Absent while it is not answered. */
  status?: number;
  ms?: number;
}

const keptRequests = 200;

/** The daemon as this page sees it: a client, what the client has asked, and whether it may. */
export class Daemon extends Observable {
  readonly endpoint = location.origin;
  readonly requests: SentRequest[] = [];
  readonly client: Client;
  /** The daemon does not know our key. */
  isLocked = false;
  readonly #key = keptKey();
  readonly #secrets = new Set<string>();

  constructor() {
    super();
    this.client = createClient({
      endpoint: this.endpoint,
      token: this.#key,
      fetch: (input, init) => this.#fetch(input as string, init),
      // A stream that breaks is seen by this page, which shows it and opens the next.
      reconnect: { attempts: 0 },
    });
  }

  lock(): void {
    forgetKey(this.#key);
    // Another tab was let in meanwhile: its key is ours too.
    if (keptKey() !== undefined) return location.reload();
    this.isLocked = true;
    this.changed();
    // Whoever is let in from now on, in whichever tab, opens this one too.
    addEventListener("storage", () => keptKey() !== undefined && location.reload());
  }

  /** Locks the page when that is why something failed; true then. */
  locksOn(error: unknown): boolean {
    if (!isUnauthorized(error)) return false;
    this.lock();
    return true;
  }

  /** Keeps a secret out of the lines that are shown of requests. */
  hide(...secrets: string[]): void {
    for (const secret of secrets) if (secret !== "") this.#secrets.add(secret);
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const body = typeof init.body === "string" && init.body !== "{}" ? shownBody(init.body, this.#secrets) : undefined;
    const request: SentRequest = {
      method: init.method ?? "GET",
      path: url.slice(this.endpoint.length),
      body,
      time: Date.now(),
    };
    this.requests.push(request);
    if (this.requests.length > keptRequests) this.requests.shift();
    try {
      const response = await fetch(url, init);
      request.status = response.status;
      return response;
    } catch (error) {
      request.status = 0;
      throw error;
    } finally {
      request.ms = Date.now() - request.time;
      this.changed();
    }
  }
}
