import { setTimeout as sleep } from "node:timers/promises";
import { type AgentSession, AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { FillingChannel } from "../../channel/filling-channel.ts";
import { openLife } from "../../channel/open-life.ts";
import { StdioChannel } from "../../channel/stdio-channel.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import type { AgentHost } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { releaseWithProcess, startProcess } from "../../process/supervised-process.ts";
import { codebuffConverter } from "../converter.ts";
import { codebuffRelease } from "../release.ts";
import type { CodebuffNative } from "../wire/native.ts";
import { withAttachments } from "./attachments.ts";
import { commandLine } from "./command-line.ts";
import { accessOf, hasAccount } from "./environment.ts";
import { writeMcpConfig } from "./mcp-config.ts";

/** One process for the whole life, kept open: messages, answers and settings are lines on its stdin. */
export async function openCodebuff(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  try {
    return await openWhenFree(host, options);
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

/** How long a session that another process has open is tried again, and how often. */
const busyMs = 5_000;
const busyPauseMs = 300;

/** A process of ours that was killed may hold its session for a moment longer; whoever holds it for good is told. */
async function openWhenFree(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const began = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await openProcess(host, options);
    } catch (error) {
      if (!(error instanceof AgentStartFailure) || error.details?.code !== "session_busy") throw error;
      const { type, message, details } = error;
      const triedMs = Math.round(performance.now() - began);
      if (triedMs >= busyMs)
        throw new AgentStartFailure(type, `${message}; tried ${attempt} times in ${triedMs} ms`, details);
      const { sessionId } = options;
      host.log("warn", "a session is open in another process and is tried again", {
        sessionId,
        attempt,
        error: message,
      });
    }
    await sleep(busyPauseMs, undefined, { signal: options.signal });
  }
}

async function openProcess(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const program = await sessionProgram(host, codebuffRelease, options);
  const mcpConfig = await writeMcpConfig(host, options.mcp);
  try {
    const isAccount = await hasAccount(host, options);
    const access = accessOf(host, options);
    const keys = isAccount ? undefined : access.models?.[0]?.keys;
    // Where the gateway counts, a second count would only stop it elsewhere.
    const budgetUsd = keys === undefined ? options.budgetUsd : undefined;
    const starting = startProcess(host, {
      agent: "codebuff",
      sessionId: options.sessionId,
      command: program.path,
      args: commandLine({ ...options, budgetUsd }, { flags: access.flags, mcpConfig: mcpConfig?.path }),
      directory: options.directory,
      env: { ...options.env, ...access.env },
    });
    const release = () => access.models?.forEach((model) => void model.release());
    const supervised = await releaseWithProcess(starting, { release });
    return await openLife({
      channel: new FillingChannel(new StdioChannel<CodebuffNative>(supervised), withAttachments),
      converter: codebuffConverter,
      facts: (state) => state.facts,
      resume: options.resume,
      keys,
      signal: options.signal,
    });
  } finally {
    await mcpConfig?.remove();
  }
}
