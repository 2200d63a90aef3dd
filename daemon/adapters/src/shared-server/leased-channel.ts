import { settlesWithin } from "@muster/core";
import type { LineChannel, LineReceiver } from "../channel/line-channel.ts";
import { noStderr } from "../process/stderr-record.ts";
import type { SessionInbox } from "./session-inbox.ts";
import type { Lease } from "./shared-servers.ts";
import type { StdioServer } from "./stdio-server.ts";

export interface LeasedChannelOptions<Native> {
  lease: Lease<StdioServer>;
  /** The agent's own id of the session. */
  session: string;
  /** Puts the session's name on a line. */
  address: (line: Native) => object;
  /** Said to end the session on its server. */
  closing: object | (() => readonly object[]);
}

/** One session on a server that it shares with others. */
export class LeasedChannel<Native> implements LineChannel<Native> {
  readonly #options: LeasedChannelOptions<Native>;
  readonly #inbox: SessionInbox;

  constructor(options: LeasedChannelOptions<Native>) {
    const { lease, session } = options;
    this.#options = options;
    this.#inbox = lease.server.sessions.attach(session);
    // Whatever ended the session ends its lease; `end` reports a server that cannot be killed.
    void this.#inbox.finished.then(() => lease.release().catch(() => {}));
  }

  open(receiver: LineReceiver): void {
    this.#inbox.open(receiver);
  }

  pause(): void {
    this.#inbox.pause();
  }

  resume(): void {
    this.#inbox.resume();
  }

  async write(lines: readonly Native[]): Promise<void> {
    if (this.#inbox.isFinished) throw new Error("The session has ended");
    await this.#options.lease.server.write(lines.map(this.#options.address));
  }

  async end({ graceMs = 3_000 }: { graceMs?: number }): Promise<void> {
    const { lease, session, closing } = this.#options;
    if (!this.#inbox.isFinished) {
      // Not awaited: a server that does not listen must not hold us longer than the grace.
      lease.server.write(typeof closing === "function" ? closing() : [closing]).catch(() => {});
      if (!(await settlesWithin(this.#inbox.finished, graceMs))) {
        lease.server.sessions.detach(session);
        this.#inbox.finish({ exitCode: null, signal: null, stderr: noStderr });
      }
    }
    await lease.release();
  }
}
