import { type Client, createClient } from "@muster/client";
import type { RequestLine } from "../model/snippets.ts";
import { forgetKey, keptKey } from "./access.ts";
import { isUnauthorized } from "./failures.ts";
import { Observable } from "./observable.ts";

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

  constructor() {
    super();
    this.client = createClient({
      endpoint: this.endpoint,
      token: keptKey(),
      fetch: (input, init) => this.#fetch(input as string, init),
      // A stream that breaks is seen by this page, which shows it and opens the next.
      reconnect: { attempts: 0 },
    });
  }

  lock(): void {
    forgetKey();
    this.isLocked = true;
    this.changed();
  }

  /** Locks the page when that is why something failed; true then. */
  locksOn(error: unknown): boolean {
    if (!isUnauthorized(error)) return false;
    this.lock();
    return true;
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const body = typeof init.body === "string" && init.body !== "{}" ? shorten(init.body) : undefined;
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

/** An attachment is in the body whole; a line to copy is not the place for it. */
function shorten(body: string): string {
  return body.length <= 4_000 ? body : `${body.slice(0, 4_000)}…`;
}
