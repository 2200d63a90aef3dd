import type { Mode } from "@muster/schema";
import { AgentStartFailure, type OpenOptions } from "../adapter.ts";
import { type AgentHost, agentFolder } from "../host.ts";
import { sessionProgram } from "../install/session-program.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { programOutput } from "../process/program-output.ts";
import { ampRelease } from "./release.ts";
import { modesInHelp } from "./wire/modes.ts";

/** Path of a program → its modes. They are part of the program, so it is asked once. */
const known = new Map<string, Promise<Mode[]>>();

/** Amp has modes in the place of models, others in each version; only its help names them. */
export async function listModes(host: AgentHost): Promise<Mode[]> {
  return modesOf(host, await sessionProgram(host, ampRelease, {}));
}

export async function checkMode(
  host: AgentHost,
  program: { path: string; version: string },
  { agentMode }: OpenOptions,
): Promise<void> {
  if (agentMode === undefined) return;
  const names = (await modesOf(host, program)).map(({ id }) => id);
  if (names.includes(agentMode)) return;
  const message = `Amp ${program.version} has no mode '${agentMode}', only ${names.join(", ")}`;
  throw new AgentStartFailure("unsupported", message);
}

function modesOf(host: AgentHost, { path, version }: { path: string; version: string }): Promise<Mode[]> {
  const key = `${path}\0${version}`;
  const asked = known.get(key) ?? askModes(host, path);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

async function askModes(host: AgentHost, path: string): Promise<Mode[]> {
  const { user } = host;
  const own = { HOME: user?.home ?? host.home, AMP_SKIP_UPDATE_CHECK: "1" };
  const text = await programOutput(path, ["--help"], {
    cwd: await agentFolder(host, "amp"),
    env: childEnvironment(host.env, own, "modes"),
    uid: user?.uid,
    gid: user?.gid,
  });
  return modesInHelp(text);
}
