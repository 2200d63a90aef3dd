import { type AgentSession, AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { FillingChannel } from "../../channel/filling-channel.ts";
import { openLife } from "../../channel/open-life.ts";
import { StdioChannel } from "../../channel/stdio-channel.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import type { AgentHost } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { startProcess } from "../../process/supervised-process.ts";
import { codebuffConverter } from "../converter.ts";
import { codebuffRelease } from "../release.ts";
import type { CodebuffNative } from "../wire/native.ts";
import { withAttachments } from "./attachments.ts";
import { commandLine } from "./command-line.ts";
import { accessOf } from "./environment.ts";
import { writeMcpConfig } from "./mcp-config.ts";

/** One process for the whole life, kept open: messages, answers and settings are lines on its stdin. */
export async function openCodebuff(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  try {
    return await openProcess(host, options);
  } catch (error) {
    const isKeyless = error instanceof AgentStartFailure && error.details?.code === "no_credentials";
    // What it says of a provider that was named says more.
    throw isKeyless && options.agentOptions.provider === undefined ? noKeyFailure(places) : error;
  }
}

const places = {
  agent: "Codebuff",
  variable: "CODEBUFF_API_KEY, ANTHROPIC_API_KEY or another provider's",
  login: "codebuff login",
};

async function openProcess(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const program = await sessionProgram(host, codebuffRelease, options);
  const mcpConfig = await writeMcpConfig(host, options.mcp);
  try {
    const access = accessOf(host, options);
    const supervised = await startProcess(host, {
      agent: "codebuff",
      sessionId: options.sessionId,
      command: program.path,
      args: commandLine(options, { flags: access.flags, mcpConfig: mcpConfig?.path }),
      directory: options.directory,
      env: { ...options.env, ...access.env },
    });
    return await openLife({
      channel: new FillingChannel(new StdioChannel<CodebuffNative>(supervised), withAttachments),
      converter: codebuffConverter,
      facts: (state) => state.facts,
      resume: options.resume,
      signal: options.signal,
    });
  } finally {
    await mcpConfig?.remove();
  }
}
