import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished, vi } from "vitest";

const execute = promisify(execFile);
const program = fileURLToPath(new URL("../../bin/codebuff.cjs", import.meta.url));

/** Why there is no tmux to test in; undefined when there is one. */
export const noTmux = spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is not installed";

export interface TmuxWorld {
  readonly llm: ScriptedLlm;
  readonly project: string;
  readonly home: string;
  /** Words as they are typed; a name such as `Enter` or `C-c` is that key. */
  keys(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The window, or all of it with the scrollback. */
  window(): Promise<string>;
  everything(): Promise<string>;
  shows(text: string | RegExp): Promise<void>;
  tmux(...args: string[]): Promise<string>;
}

/** The built command in a shell in a pane of a tmux server of its own. */
export async function openTmux(script: ScriptInput, { columns = 100, rows = 30 } = {}): Promise<TmuxWorld> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-tmux-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [home, project, bin]) await mkdir(folder);
  await symlink(program, join(bin, "codebuff"));
  const llm = await startScriptedLlm({ script });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PS1: "shell> ",
    ANTHROPIC_API_KEY: "sk-ant-test",
    ANTHROPIC_BASE_URL: llm.url,
  };
  const socket = join(root, "tmux");
  const tmux = async (...args: string[]) =>
    (await execute("tmux", ["-f", "/dev/null", "-S", socket, ...args], { cwd: project, env })).stdout;
  await tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "bash --norc --noprofile");
  await tmux("set", "-g", "history-limit", "20000");
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => undefined);
    await llm.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const window = () => tmux("capture-pane", "-p");
  const everything = async () => (await tmux("capture-pane", "-p", "-J", "-S", "-")).replaceAll(/ +$/gm, "");
  return {
    llm,
    project,
    home,
    tmux,
    window,
    everything,
    keys: async (...keys) => void (await tmux("send-keys", ...keys)),
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    resize: async (x, y) => void (await tmux("resize-window", "-x", String(x), "-y", String(y))),
    shows: (text) =>
      vi.waitFor(
        async () => {
          const seen = await everything();
          if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return;
          throw new Error(`not there: ${text}\n${seen}`);
        },
        { timeout: 60_000, interval: 60 },
      ),
  };
}
