import { AgentHome, type Talk } from "../agent-home.ts";

/** A daemon with the real Claude Code. */
export class ClaudeHome extends AgentHome {
  static async forFile() {
    const claude = new ClaudeHome("claude", { token: "sk-ant-test-000" });
    return { claude, test: await claude.forFile() };
  }

  /** The process that leads a session. */
  async processOf({ talk }: Talk): Promise<number> {
    const { nativeSessionId = "" } = await talk.view();
    const [pid] = this.processesWith(nativeSessionId);
    if (pid === undefined) throw new Error(`No process leads ${nativeSessionId}`);
    return pid;
  }
}

export const bash = (command: string) => ({ name: "Bash", native: true, input: { command, description: "Do it" } });
