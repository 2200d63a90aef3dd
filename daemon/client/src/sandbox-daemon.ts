/// <reference lib="esnext.disposable" preserve="true" />
import { type Client, type ClientOptions, createClient } from "./client.ts";
import type { CreateSession, UniversalEvent } from "./generated/types.ts";
import { newId } from "./new-id.ts";
import { type Abort, Session } from "./session.ts";

/** A daemon, wherever it runs. */
export class SandboxDaemon implements AsyncDisposable {
  /** One typed method per operation: `daemon.client.sessions.list()`. */
  readonly client: Client;
  readonly #stop: (() => Promise<void>) | undefined;
  #closed: Promise<void> | undefined;

  /** No I/O: the daemon is asked at the first use. */
  static connect(options: ClientOptions): SandboxDaemon {
    return new SandboxDaemon(createClient(options));
  }

  /** For entries that reach a daemon in another way; `stop` ends a daemon that is ours. */
  constructor(client: Client, stop?: () => Promise<void>) {
    this.client = client;
    this.#stop = stop;
  }

  /** A new session with an id of its own. No I/O: it is created at its first use. */
  session(options: CreateSession): Session;
  /** No I/O: with options the session is created at its first use, without them it must be there. */
  session(id: string, options?: CreateSession): Session;
  session(first: string | CreateSession, options?: CreateSession): Session {
    if (typeof first === "string") return new Session(this.client, first, options);
    return new Session(this.client, newId("ses"), first);
  }

  /** State changes and requests of all sessions, from now on. */
  watch(options?: Abort): AsyncIterable<UniversalEvent> {
    return this.client.events.stream({}, options);
  }

  /** Ends every reading of this object, and the daemon if this object started it. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.client.close();
    await this.#stop?.();
  }
}
