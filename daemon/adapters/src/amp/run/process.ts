import { delimiter } from "node:path";
import { type AgentSession, AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { openLife } from "../../channel/open-life.ts";
import type { AgentHost } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { startProcess } from "../../process/supervised-process.ts";
import { ampConverter } from "../converter.ts";
import { checkMode } from "../models.ts";
import { ampRelease } from "../release.ts";
import { AmpChannel, saysUnknownThread } from "./amp-channel.ts";
import { commandLine } from "./command-line.ts";
import { environmentOf } from "./environment.ts";
import { makeLaunchFolder } from "./launch-folder.ts";
import { PermissionGate } from "./permission-gate.ts";

/** One process at a time for the whole life. A thread that Amp no longer knows begins anew, and the session says so. */
export async function openAmp(host: AgentHost, options: OpenOptions): Promise<AgentSession> {
  const { resume } = options;
  try {
    return await openThread(host, options, { thread: resume?.nativeSessionId });
  } catch (error) {
    if (resume?.nativeSessionId === undefined || !isUnknownThread(error)) throw error;
    // Before its first answer there was nothing to lose.
    const contextLost = resume.nextItem > 1;
    return openThread(host, { ...options, resume: { ...resume, nativeSessionId: undefined } }, { contextLost });
  }
}

async function openThread(
  host: AgentHost,
  options: OpenOptions,
  { thread: known, contextLost }: { thread?: string; contextLost?: boolean },
): Promise<AgentSession> {
  const program = await sessionProgram(host, ampRelease, options);
  await checkMode(host, program, options);
  const environment = await environmentOf(host, options);
  const folder = await makeLaunchFolder(host, options);
  const gate = await PermissionGate.open(folder.socket, host.user).catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });
  const release = () => gate.close().finally(() => folder.remove());
  const start = (thread: string | undefined) =>
    startProcess(host, {
      agent: "amp",
      sessionId: options.sessionId,
      command: program.path,
      args: commandLine(options, folder, thread),
      directory: options.directory,
      env: { ...environment, ...gate.env, PATH: [folder.path, environment.PATH ?? host.env.PATH].join(delimiter) },
    });
  const first = await start(known).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  let thread = known;
  return openLife({
    channel: new AmpChannel({ gate, first, start, release, thread: () => thread }),
    converter: ampConverter,
    facts: ({ facts, nativeSessionId }) => {
      thread = nativeSessionId;
      return facts.ready ? { ...facts, agentVersion: program.version, contextLost: contextLost || undefined } : facts;
    },
    resume: options.resume,
    tickMs: 1_000,
    signal: options.signal,
  });
}

function isUnknownThread(error: unknown): boolean {
  return error instanceof AgentStartFailure && saysUnknownThread(JSON.stringify(error.details ?? {}));
}
