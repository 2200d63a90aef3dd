import { type ChildProcess, spawn } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startTimeOf } from "@muster/node";
import { onTestFinished } from "vitest";
import { AgentHome, type Talk } from "../agent-home.ts";

/** A daemon with the real `codebuff` of this repository. */
export class CodebuffHome extends AgentHome {
  static async forFile() {
    const codebuff = new CodebuffHome("codebuff", { token: "sk-ant-test-000" });
    return { codebuff, test: await codebuff.forFile() };
  }

  /** The process that leads a session. */
  processOf({ directory }: Talk): number {
    const [pid] = this.processesWith(`--cwd=${directory}`);
    if (pid === undefined) throw new Error(`No process leads ${directory}`);
    return pid;
  }

  /** Ends the process of a session; another one has the session open from then on, as its lock file says. */
  async hold(session: Talk): Promise<ChildProcess> {
    const { nativeSessionId = "" } = await session.talk.view();
    process.kill(this.processOf(session), "SIGKILL");
    await session.talk.until("session.ended");
    const own = join(this.home.path, ".codebuff");
    const [file] = (await readdir(own, { recursive: true })).filter((path) =>
      path.endsWith(`${nativeSessionId}.jsonl`),
    );
    const holder = spawn("sleep", ["300"]);
    onTestFinished(() => void holder.kill("SIGKILL"));
    const { pid = 0 } = holder;
    await writeFile(join(own, `${file}.lock`), JSON.stringify({ pid, started: startTimeOf(pid) }));
    return holder;
  }

  /** Deletes what Codebuff keeps of a conversation. */
  async forget(nativeSessionId: string): Promise<void> {
    const own = join(this.home.path, ".codebuff");
    const kept = (await readdir(own, { recursive: true })).filter((path) => path.includes(nativeSessionId));
    if (kept.length === 0) throw new Error(`Codebuff keeps nothing of ${nativeSessionId}`);
    await Promise.all(kept.map((path) => rm(join(own, path), { recursive: true, force: true })));
  }
}

export const terminal = (command: string) => ({
  name: "run_terminal_command",
  native: true,
  input: { command, process_type: "SYNC", timeout_seconds: 30 },
});
