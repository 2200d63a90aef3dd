import { randomUUID } from "node:crypto";
import type { AgentSession, OpenOptions } from "../../adapter.ts";
import { AgentStartFailure } from "../../adapter.ts";
import { FillingChannel } from "../../channel/filling-channel.ts";
import { type LifeFacts, openLife } from "../../channel/open-life.ts";
import { StdioChannel } from "../../channel/stdio-channel.ts";
import type { AgentHost } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { releaseWithProcess, startProcess } from "../../process/supervised-process.ts";
import { claudeConverter } from "../converter.ts";
import { unknownConversation } from "../read/on-result.ts";
import { claudeRelease } from "../release.ts";
import type { ClaudeNative } from "../wire/native.ts";
import { type ClaudeState, initializeId } from "../wire/state.ts";
import { type Access, accessOf } from "./access.ts";
import { withContent } from "./attachments.ts";
import { type Conversation, commandLine } from "./command-line.ts";
import { environmentOf } from "./environment.ts";

/**
 * One process for the whole life. Its transcript lags behind what it said, so a process that was killed may have left
 * none: then the conversation begins anew under the same id, and the session says that the context is lost.
 */
export async function openClaude(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const { resume } = options;
  const known = resume?.nativeSessionId;
  if (known === undefined) return openConversation(host, options, { begin: randomUUID() });
  try {
    return await openConversation(host, options, { resume: known });
  } catch (error) {
    const isUnknown = error instanceof AgentStartFailure && error.message.startsWith(unknownConversation);
    if (!isUnknown) throw error;
    // Before its first answer there was nothing to lose.
    const contextLost = resume !== undefined && resume.nextItem > 1;
    return openConversation(host, options, { begin: known }, contextLost);
  }
}

async function openConversation(
  host: AgentHost,
  options: OpenOptions,
  conversation: Conversation,
  contextLost = false,
): Promise<AgentSession> {
  const nativeSessionId = "begin" in conversation ? conversation.begin : conversation.resume;
  const access = await accessOf(host, options);
  const channel = await startChannel(host, options, conversation, access).catch((error: unknown) => {
    access.model?.release();
    throw error;
  });
  return openLife({
    channel,
    keys: access.model?.keys,
    converter: claudeConverter,
    facts: (state) => factsOf(state, options, { nativeSessionId, contextLost: contextLost || undefined }),
    resume: options.resume,
    tickMs: 1_000,
    signal: options.signal,
  });
}

export async function startChannel(
  host: AgentHost,
  options: OpenOptions,
  conversation: Conversation,
  access: Access,
): Promise<FillingChannel<ClaudeNative>> {
  const isRoot = (host.user?.uid ?? process.getuid?.()) === 0;
  const { args, env } = commandLine(conversation, options, isRoot);
  const starting = startProcess(host, {
    agent: "claude",
    sessionId: options.sessionId,
    command: (await sessionProgram(host, claudeRelease, options)).path,
    args,
    directory: options.directory,
    env: { ...environmentOf(host, options, { access, isRoot }), ...env },
  });
  const supervised = await releaseWithProcess(starting, access.model);
  const channel = new FillingChannel(new StdioChannel<ClaudeNative>(supervised), withContent);
  // Not awaited: its answer tells that it arrived, and the exit that it did not.
  const initialize = { type: "control_request", request_id: initializeId, request: { subtype: "initialize" } } as const;
  channel.write([initialize]).catch(() => {});
  return channel;
}

/** The converter knows what Claude said; what was asked of it is known here. */
function factsOf(
  { facts, models }: ClaudeState,
  { model = "default" }: OpenOptions,
  known: Partial<LifeFacts>,
): LifeFacts {
  if (!facts.ready) return facts;
  const resolved = models.find(({ value }) => value === model)?.resolvedModel ?? model;
  return { ...facts, ...known, model: resolved };
}
