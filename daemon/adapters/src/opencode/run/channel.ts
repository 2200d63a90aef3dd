import { isRecord } from "@muster/core";
import { SerialQueue } from "@muster/node";
import type { LineChannel, LineReceiver } from "../../channel/line-channel.ts";
import { noStderr } from "../../process/stderr-record.ts";
import type { SessionInbox } from "../../shared-server/session-inbox.ts";
import type { Lease } from "../../shared-server/shared-servers.ts";
import { type HttpCall, OpencodeCall } from "../wire/calls.ts";
import type { OpencodeNative } from "../wire/native.ts";
import { replyCall } from "../write/commands.ts";
import { problemOf } from "./http.ts";
import type { OpencodeServer } from "./server.ts";

interface ChannelOptions {
  lease: Lease<OpencodeServer>;
  /** OpenCode's id of the session. */
  session: string;
  directory: string;
}

/** One session on a server: events come over the stream that all share, calls go over HTTP one after the other. */
export class OpencodeChannel implements LineChannel<OpencodeNative> {
  readonly #options: ChannelOptions;
  readonly #server: OpencodeServer;
  readonly #inbox: SessionInbox;
  readonly #queue = new SerialQueue();

  constructor(options: ChannelOptions) {
    const { lease, session, directory } = options;
    this.#options = options;
    this.#server = lease.server;
    this.#inbox = lease.server.sessions.attach(session);
    lease.server.watch(session, directory);
    // Whatever ended the session ends its lease; `end` reports a server that cannot be killed.
    void this.#inbox.finished.then(() => {
      lease.server.forget(session);
      return lease.release().catch(() => {});
    });
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

  /** A call the server refused comes back as a line; only a server that is gone rejects. */
  async write(lines: readonly OpencodeNative[]): Promise<void> {
    const calls = lines.flatMap((line) => {
      const call = OpencodeCall.safeParse(line);
      return call.success && "path" in call.data ? [call.data] : [];
    });
    await this.#queue.run(async () => {
      for (const call of calls) await this.#call(call);
    });
  }

  async end({ graceMs = 3_000 }: { graceMs?: number }): Promise<void> {
    const { lease, session } = this.#options;
    if (!this.#inbox.isFinished) {
      // A command it runs would go on without anybody to hear of it.
      if (!this.#server.isOver) await this.#stop(Math.max(graceMs, 300));
      this.#server.forget(session);
      this.#inbox.finish({ exitCode: 0, signal: null, stderr: noStderr });
    }
    await lease.release();
  }

  async #call(call: HttpCall): Promise<void> {
    const { method, path, body } = call;
    if (this.#inbox.isFinished) throw new Error("The session has ended");
    try {
      const answer = await this.#server.http.ask({ method, path, body, directory: this.#options.directory });
      const isGood = answer.status >= 200 && answer.status < 300;
      // 404: the request was answered by somebody else, or by OpenCode together with another one.
      const isSettled = answer.status === 404 && !path.startsWith("/session/");
      if (!isGood && !isSettled) this.#refusePrompt(call, answer.status, problemOf(answer.body));
    } catch (error) {
      if (this.#server.isOver) throw new Error("The server of the session has ended", { cause: error });
      this.#refusePrompt(call, 0, String(error));
    }
  }

  #refusePrompt({ path }: HttpCall, status: number, message: string): void {
    const properties = { sessionID: this.#options.session, path, status, message };
    this.#server.sessions.lines([JSON.stringify({ type: "daemon.refused", properties })]);
  }

  /** Stops what runs and declines what it waits for, which an abort alone leaves behind. */
  async #stop(timeoutMs: number): Promise<void> {
    const { session, directory } = this.#options;
    const ask = (path: string, body?: unknown) =>
      this.#server.http.ask({ method: "POST", path, directory, body, timeoutMs }).catch(() => undefined);
    await ask(`/session/${session}/abort`);
    for (const kind of ["permission", "question"] as const) {
      const pending = await this.#server.http.get(`/${kind}`, directory, timeoutMs).catch(() => []);
      for (const request of Array.isArray(pending) ? pending.filter(isRecord) : []) {
        if (request.sessionID !== session || typeof request.id !== "string") continue;
        const { path, body } = replyCall(request.id, "reject", undefined);
        await (kind === "permission" ? ask(path, body) : ask(`/question/${request.id}/reject`));
      }
    }
  }
}
