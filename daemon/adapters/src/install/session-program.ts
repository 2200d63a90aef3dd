import { untilAborted } from "@muster/core";
import { Failure } from "@muster/schema";
import { AgentStartFailure, type OpenOptions } from "../adapter.ts";
import type { AgentHost } from "../host.ts";
import { ensureInstalled } from "./installer.ts";
import type { Release } from "./release/release.ts";

/** The program a session runs. One that cannot be installed, or not be driven, is a start that failed; an install goes on without us. */
export async function sessionProgram(
  host: AgentHost,
  release: Release,
  { agentVersion: version, signal }: Pick<OpenOptions, "agentVersion" | "signal">,
): Promise<{ path: string; version: string }> {
  try {
    return await untilAborted(ensureInstalled(host, release, { version, isForSession: true }), signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const type = error.code === "unsupported_agent_version" ? error.code : "install_failed";
    throw new AgentStartFailure(type, error.message, error.fields);
  }
}
