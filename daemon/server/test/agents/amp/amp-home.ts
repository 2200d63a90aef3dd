import { readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptInput } from "@muster/scripted-llm";
import { AgentHome, type Talk } from "../agent-home.ts";

/** What Amp asks its service for beside the model: who the user is, and a title for the thread. */
export const ampService = {
  routes: [{ path: "/api/internal", body: '{"ok":true,"result":{}}' }],
  conversations: [
    { name: "titles", match: { offersTool: "set_title" }, turns: [{ text: "A title", times: "always" as const }] },
  ],
} satisfies ScriptInput;

/** A daemon with the last Amp whose loop runs here, and the scripted model in the place of Amp's service. */
export class AmpHome extends AgentHome {
  static async forFile() {
    const amp = new AmpHome("amp", { token: "sgamp_user_test_000" });
    return { amp, test: await amp.forFile() };
  }

  override beginWith(script: ScriptInput, settings: Record<string, unknown> = {}): Promise<Talk> {
    return super.beginWith(withService(script), settings);
  }

  /** What Amp has written down of its threads. */
  async threads({ talk }: Talk): Promise<string> {
    const { nativeSessionId } = await talk.view();
    const path = join(this.home.path, ".local/share/amp/threads", `${nativeSessionId}.json`);
    return readFile(path, "utf8").catch(() => "");
  }

  /** The processes that lead a session. */
  processesOf({ directory }: Talk): number[] {
    return this.home.agents().filter((pid) => directoryOf(pid) === directory);
  }
}

function directoryOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has just ended.
    return undefined;
  }
}

function withService(script: ScriptInput): ScriptInput {
  return {
    ...script,
    routes: ampService.routes,
    conversations: [...ampService.conversations, ...script.conversations],
  };
}

/** What lives of Amp have in the temporary folder as long as they last. */
export function launchFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("muster-amp-life-"));
}

export const bash = (cmd: string) => ({ name: "Bash", native: true, input: { cmd } });
