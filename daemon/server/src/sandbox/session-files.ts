import { ownProgram } from "@muster/adapters";
import type { Engine } from "@muster/engine";
import { type Grant, isLimited } from "@muster/http";
import type { Bytes, FileAnswer, FileFields, FileHeaders, FileOperation, FilesDoor, Reach } from "@muster/sandbox";
import { Failure } from "@muster/schema/wire";
import { agentUser } from "../engine/agent-user.ts";
import type { RunningEngineOptions } from "../engine/running-engine.ts";
import type { VisibleSessions } from "../engine/visible-sessions.ts";

export interface FileRequest {
  /** Of query or body. */
  readonly query: FileFields & { readonly session?: string | undefined };
  readonly headers?: FileHeaders;
  readonly body?: Bytes;
}

/** Who asks. */
interface Asker {
  readonly sessions: VisibleSessions;
  readonly grant: Grant;
}

/** Files as clients of the daemon reach them. Nothing of it is loaded before the first of them asks. */
export interface SessionFiles {
  run(operation: FileOperation, request: FileRequest, asker: Asker): Promise<FileAnswer>;
}

type Settings = Pick<RunningEngineOptions, "roots" | "noFiles" | "agentUser">;

/** Throws for roots that cannot be. */
export function startFiles(
  { roots, noFiles, agentUser: userName }: Settings,
  { engine, dataDirectory }: { engine: Engine; dataDirectory: string },
): SessionFiles {
  let loaded: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const { AllowedRoots, FilesDoor, filesProgramFile } = await import("@muster/sandbox");
    const account = userName === undefined ? undefined : agentUser(userName);
    const user = account && { ...account, ...ownProgram("files", filesProgramFile) };
    // The token lies there, and the logs of every session.
    return { allowed: new AllowedRoots(roots, [dataDirectory]), door: new FilesDoor({ user }) };
  };
  return {
    async run(operation, { query: { session, ...fields }, headers = {}, body }, asker) {
      if (noFiles === true) throw new Failure("files_off", "The daemon was started with --no-files");
      loaded ??= load();
      const { allowed, door } = await loaded;
      const reach = await reachOf(session, asker, allowed);
      return await door.run({ operation, reach, fields, headers }, body);
    },
  };

  async function reachOf(session: string | undefined, { sessions, grant }: Asker, allowed: Loaded["allowed"]) {
    if (session === undefined) return await allowed.across(() => directoriesOf(sessions), isLimited(grant));
    const { directory } = await sessions.view(session);
    return await allowed.within(directory, [engine.sessions.attachmentsFolder(session)]);
  }
}

interface Loaded {
  readonly door: FilesDoor;
  readonly allowed: {
    within(directory: string, readable: readonly string[]): Promise<Reach>;
    across(directories: () => Promise<readonly string[]>, isLimited: boolean): Promise<Reach>;
  };
}

/** Where the sessions that somebody may see work. */
async function directoriesOf(sessions: VisibleSessions): Promise<string[]> {
  const directories = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await sessions.list({ limit: 1000, after });
    for (const { directory } of page.sessions) directories.add(directory);
    after = page.sessions.at(-1)?.sessionId;
    if (!page.hasMore || after === undefined) return [...directories];
  }
}
