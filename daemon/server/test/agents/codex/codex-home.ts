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
}

export const run = (command: string) => ({ name: "run_command", input: { command } });

/** The labels of what was only worth a line. */
export function labels(items: readonly { item: Item }[]): string[] {
  return parts(items, "status").map(({ label }) => label);
}
