import { readFileSync } from "node:fs";
import type { Item } from "@muster/schema";
import { AgentHome, parts } from "../agent-home.ts";

/** Looks like a key, opens nothing. */
export const fakeKey = "sk-codex-test-4711";

/** A daemon with the real Codex. Sessions with equal addresses and keys share a process. */
export class CodexHome extends AgentHome {
  static async forFile() {
    const codex = new CodexHome("codex", { model: "gpt-5.5", token: fakeKey });
    return { codex, test: await codex.forFile() };
  }

  /** The app-server processes that run now. */
  servers(): number[] {
    return this.processesWith("\0app-server\0");
  }

  /** The app-server that runs this command. Throws when there is none: a signal to nobody in particular reaches everybody. */
  serverOf(command: number): number {
    const servers = new Set(this.servers());
    for (let pid = command; pid > 1; pid = parentOf(pid)) if (servers.has(pid)) return pid;
    throw new Error(`No server of Codex runs the command ${command}`);
  }
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

export const run = (command: string) => ({ name: "run_command", input: { command } });

/** The labels of what was only worth a line. */
export function labels(items: readonly { item: Item }[]): string[] {
  return parts(items, "status").map(({ label }) => label);
}
