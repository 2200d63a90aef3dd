import { randomBytes } from "node:crypto";
import type { AgentSession, OpenOptions } from "../../adapter.ts";
import type { LineChannel } from "../../channel/line-channel.ts";
import { openLife } from "../../channel/open-life.ts";
import { StdioChannel } from "../../channel/stdio-channel.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { type ProcessOptions, startProcess } from "../../process/supervised-process.ts";
import { LeasedChannel } from "../../shared-server/leased-channel.ts";
import { startStdioServer } from "../../shared-server/stdio-server.ts";
import { mockConverter } from "../converter.ts";
import { defaultModel } from "../models.ts";
import { MockOptions } from "../options.ts";
import { program } from "../release.ts";
import type { MockNative, MockServerOrder, MockSettings } from "../wire/native.ts";
import { version } from "./program/version.ts";

export async function openMock(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const mockOptions = MockOptions.parse(options.agentOptions);
  const settings = await settingsOf(host, options);
  const open = mockOptions.shared === true ? sharedChannel : ownChannel;
  return openLife({
    channel: await open(host, options, settings, mockOptions),
    converter: mockConverter,
    facts: (state) => state.facts,
    resume: options.resume,
    startMs: mockOptions.startMs ?? 10_000,
    signal: options.signal,
  });
}

async function ownChannel(
  host: AgentHost,
  options: OpenOptions,
  settings: MockSettings,
  { start }: MockOptions,
): Promise<LineChannel<MockNative>> {
  const args = [JSON.stringify(settings), ...(start === undefined ? [] : [start])];
  const { sessionId, directory } = options;
  return new StdioChannel(await startProcess(host, { ...processOf(options, args, start), sessionId, directory }));
}

async function sharedChannel(
  host: AgentHost,
  options: OpenOptions,
  settings: MockSettings,
  { start }: MockOptions,
): Promise<LineChannel<MockNative>> {
  const args = ["--shared", ...(start === undefined ? [] : [start])];
  const identity = {
    agent: "mock",
    version,
    home: host.home,
    credential: options.token,
    env: options.env,
    configuration: { start },
  };
  const lease = await host.servers.lease(identity, () =>
    startStdioServer(host, { process: processOf(options, args, start), protocol: { route, closes } }),
  );
  const session = settings.conversation;
  const order = (line: MockServerOrder) => line;
  try {
    const channel = new LeasedChannel<MockNative>({
      lease,
      session,
      address: (line) => ({ session, ...line }),
      closing: order({ do: "close", session }),
    });
    // Not awaited: whether the server heard it is told by the session's first line, or by the server's end.
    lease.server.write([order({ do: "open", session, settings })]).catch(() => {});
    return channel;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

function route(native: unknown): string | null {
  const session = typeof native === "object" && native !== null && "session" in native ? native.session : null;
  return typeof session === "string" ? session : null;
}

function closes(native: unknown): boolean {
  return typeof native === "object" && native !== null && "ev" in native && native.ev === "closed";
}

function processOf(options: OpenOptions, args: string[], start: MockOptions["start"]): ProcessOptions {
  const token: Record<string, string> = options.token === undefined ? {} : { MOCK_TOKEN: options.token };
  return {
    agent: "mock",
    command: start === "missing" ? `${program.command}.missing` : program.command,
    args: [...program.args, ...args],
    directory: options.directory,
    env: { ...options.env, ...token },
  };
}

async function settingsOf(host: AgentHost, options: OpenOptions): Promise<MockSettings> {
  const { resume, directory, model = defaultModel, permissionMode, agentMode, variant, systemPrompt } = options;
  const known = resume?.nativeSessionId;
  return {
    conversation: known ?? `mock_${randomBytes(8).toString("hex")}`,
    resume: known !== undefined,
    directory,
    memory: await agentFolder(host, "mock"),
    model,
    guard: permissionMode,
    mode: agentMode,
    variant,
    systemPrompt,
  };
}
