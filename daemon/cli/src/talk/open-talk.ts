import type { Client } from "@muster/client";
import type { Session } from "@muster/schema";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { fetchWithProgress } from "../text/install-progress.ts";
import { type OpenDaemon, type OpenDaemonOptions, openDaemon } from "./open-daemon.ts";
import { openSession, type SessionWish } from "./open-session.ts";

export interface TalkOptions {
  connection: OpenDaemonOptions;
  /** What is asked of the session, once it is known which daemon has it. */
  wish(endpoint: string): SessionWish;
  environment: CommandEnvironment;
}

export interface Talk {
  daemon: OpenDaemon;
  client: Client;
  session: Session;
  /** Goes on with one that was there. */
  isContinued: boolean;
}

/** Finds or starts a daemon, installs the agent where it is missing, and opens the session. */
export async function openTalk({ connection, wish, environment }: TalkOptions): Promise<Talk> {
  const daemon = await openDaemon(connection, environment);
  try {
    const wanted = wish(daemon.endpoint);
    if (wanted.settings.agentVersion === undefined) await install(daemon, wanted, environment);
    const client = daemon.connect();
    const { session, isNew } = await openSession(client, wanted);
    return { daemon, client, session, isContinued: !isNew };
  } catch (error) {
    await daemon.close();
    throw error;
  }
}

/** An agent that is not there is installed first, where that can be watched. */
async function install(
  daemon: OpenDaemon,
  { agent, settings }: SessionWish,
  environment: CommandEnvironment,
): Promise<void> {
  const { name, installed, capabilities, credentialsAvailable } = await daemon.connect().agents.get({ agent });
  if (installed || capabilities === undefined) return;
  const { stderr } = environment;
  // Before somebody waits for the download. It is no refusal: an agent may have ways to a model that nobody else knows.
  if (credentialsAvailable === false && settings.token === undefined && settings.baseUrl === undefined) {
    stderr.write(`no key for ${name} was found where the daemon runs; it may need one once it is installed\n`);
  }
  if (stderr.isTTY !== true) stderr.write(`installing ${agent}\n`);
  const client = daemon.connect(stderr.isTTY === true ? fetchWithProgress(environment) : undefined);
  const { version, tested } = await client.agents.install({ agent });
  stderr.write(`installed ${agent} ${version}${tested === false ? ", which this daemon was not tested with" : ""}\n`);
}
