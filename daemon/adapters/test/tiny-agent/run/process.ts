import type { AgentSession, OpenOptions } from "../../../src/adapter.ts";
import { openLife } from "../../../src/channel/open-life.ts";
import { StdioChannel } from "../../../src/channel/stdio-channel.ts";
import type { AgentHost } from "../../../src/host.ts";
import { startProcess } from "../../../src/process/supervised-process.ts";
import { tinyConverter } from "../converter.ts";
import type { TinyLine } from "../read/native.ts";
import { program } from "../release.ts";

export async function openTiny(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const { sessionId, directory, env, resume, signal } = options;
  const start = { agent: "tiny", sessionId, command: process.execPath, args: [program], directory, env };
  return openLife({
    channel: new StdioChannel<TinyLine>(await startProcess(host, start)),
    converter: tinyConverter,
    facts: ({ version }) => ({ ready: version !== undefined, agentVersion: version, nativeSessionId: "tiny" }),
    resume,
    signal,
  });
}
