import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { OpenOptions } from "../src/adapter.ts";
import type { AgentHost } from "../src/host.ts";
import { SharedServers } from "../src/shared-server/shared-servers.ts";

export interface TestHost extends AgentHost {
  readonly logged: { level: string; message: string; fields?: Record<string, unknown> | undefined }[];
}

/** A host in a directory of its own; whatever it started and wrote is gone after the test. */
export function makeHost(options: { lingerMs?: number; env?: NodeJS.ProcessEnv } = {}): TestHost {
  const directory = makeDirectory();
  const logged: TestHost["logged"] = [];
  const servers = new SharedServers({ lingerMs: options.lingerMs ?? 0 });
  onTestFinished(() => servers.close({ graceMs: 0 }));
  return {
    env: options.env ?? process.env,
    home: directory,
    dataDirectory: join(directory, "data"),
    livesDirectory: join(directory, "lives"),
    servers,
    redact: (text) => text,
    logged,
    log: (level, message, fields) => logged.push({ level, message, fields }),
  };
}

export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "muster-adapters-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function openOptions(host: AgentHost, options: Partial<OpenOptions> = {}): OpenOptions {
  return {
    sessionId: "s1",
    directory: host.home,
    permissionMode: "default",
    env: {},
    mcp: {},
    agentOptions: {},
    ...options,
  };
}
