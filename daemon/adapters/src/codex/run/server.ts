import type { ModelAccess } from "@muster/schema";
import { AgentStartFailure } from "../../adapter.ts";
import { PendingCalls, RpcFailure } from "../../channel/json-rpc.ts";
import type { AgentHost } from "../../host.ts";
import { type ProcessOptions, startProcess } from "../../process/supervised-process.ts";
import { StdioServer } from "../../shared-server/stdio-server.ts";
import { optedOut } from "../wire/native.ts";
import { Threads } from "./threads.ts";

const patienceMs = 60_000;

/** Its process is gone; another one can be had. */
export class ServerEnded extends Error {
  override readonly name = "ServerEnded";

  constructor() {
    super("The Codex server has ended");
  }
}

/** Starts one `codex app-server` and shakes hands with it, once for all sessions it will have. */
export async function startCodexServer(host: AgentHost, options: ProcessOptions): Promise<CodexServer> {
  const process = await startProcess(host, options);
  const calls = new PendingCalls("server:");
  // A server that cannot be written to has ended, and every session hears of that.
  const threads: Threads = new Threads(calls, (line) => void server.write([line]).catch(() => {}));
  const server: CodexServer = new CodexServer(host, { process: options, protocol: threads }, process, {
    calls,
    threads,
  });
  try {
    await server.request("initialize", {
      clientInfo: { name: "muster", title: "Muster", version: "0.1.0" },
      capabilities: { experimentalApi: true, optOutNotificationMethods: optedOut },
    });
    await server.write([{ method: "initialized" }]);
    return server;
  } catch (error) {
    // Why it did not start is what the caller hears; a process that cannot be ended is in the log.
    await server.end({ graceMs: 500 }).catch(() => {});
    const { head, tail } = process.stderr();
    throw new AgentStartFailure("process_exited", `Codex did not start: ${String(error)}`, { stderr: tail || head });
  }
}

export class CodexServer extends StdioServer {
  readonly threads: Threads;
  readonly #calls: PendingCalls;
  /** placeholder → what it is released by when this process is gone */
  readonly #held = new Map<string, ModelAccess>();
  #isOver = false;

  constructor(
    host: AgentHost,
    options: ConstructorParameters<typeof StdioServer>[1],
    process: ConstructorParameters<typeof StdioServer>[2],
    { calls, threads }: { calls: PendingCalls; threads: Threads },
  ) {
    super(host, options, process);
    this.#calls = calls;
    this.threads = threads;
    const gone = () => {
      this.#isOver = true;
      calls.failAll(new ServerEnded());
      for (const access of this.#held.values()) access.release();
    };
    void this.exited.then(gone, gone);
  }

  /** Takes the placeholder of a thread over, until this process is gone: a thread stays loaded with its first key over lives. */
  hold(access: ModelAccess): void {
    if (this.#isOver || this.#held.has(access.token)) access.release();
    else this.#held.set(access.token, access);
  }

  /** Asks the server itself. Rejects with `RpcFailure`, when it has ended, or when it does not answer. */
  async request(method: string, params: unknown, timeoutMs = patienceMs): Promise<unknown> {
    if (this.#isOver) throw new ServerEnded();
    const { request, result } = this.#calls.begin(method, params, timeoutMs);
    // Whoever cannot be written to has ended, and that fails all calls.
    this.write([request]).catch(() => {});
    try {
      return await result;
    } catch (error) {
      // A server that does not answer serves nobody any more: its sessions go on on the next one.
      if (!(error instanceof RpcFailure)) this.end({ graceMs: 1_000 }).catch(() => {});
      throw error;
    }
  }
}
