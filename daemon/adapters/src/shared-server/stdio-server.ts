import { join } from "node:path";
import { LineSplitter } from "@muster/node";
import type { AgentHost } from "../host.ts";
import { type ProcessOptions, type SupervisedProcess, startProcess } from "../process/supervised-process.ts";
import { Demultiplexer, type DemultiplexerOptions, type ServerProtocol } from "./demultiplexer.ts";
import { ServerLog } from "./server-log.ts";
import type { SharedServer } from "./shared-servers.ts";

export interface StdioServerOptions extends Pick<DemultiplexerOptions, "memoryBytes" | "holdMs"> {
  process: ProcessOptions;
  protocol: ServerProtocol;
}

/** Starts a process that serves many sessions with JSON lines over its pipes. */
export async function startStdioServer(host: AgentHost, options: StdioServerOptions): Promise<StdioServer> {
  return new StdioServer(host, options, await startProcess(host, options.process));
}

export class StdioServer implements SharedServer {
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly sessions: Demultiplexer;
  readonly log: ServerLog;
  readonly #process: SupervisedProcess;

  constructor(host: AgentHost, options: StdioServerOptions, process: SupervisedProcess) {
    const directory = join(host.dataDirectory, "servers");
    const name = `${options.process.agent}-${process.marker.slice(0, 12)}`;
    const { memoryBytes, holdMs, protocol } = options;
    this.#process = process;
    this.pid = process.pid;
    this.log = new ServerLog(join(directory, `${options.process.agent}.log`), {
      redact: host.redact,
      onFailure: (error) => host.log("warn", "the log of a shared server cannot be written", { error: String(error) }),
    });
    this.sessions = new Demultiplexer({
      protocol,
      log: this.log,
      spillDirectory: directory,
      name,
      memoryBytes,
      holdMs,
    });
    this.exited = this.#read();
  }

  write(lines: readonly object[]): Promise<void> {
    return this.#process.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  end(options: { graceMs?: number }): Promise<void> {
    return this.#process.end(options);
  }

  /** Never pauses: what nobody wants yet is the demultiplexer's business. */
  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    this.#process.output.read((chunk) => this.sessions.lines(splitter.push(chunk)));
    const exit = await this.#process.finished();
    this.sessions.lines(splitter.end());
    this.sessions.exit({ ...exit, stderr: this.#process.stderr() });
  }
}
