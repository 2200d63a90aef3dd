import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import headless from "@xterm/headless";
import { onTestFinished, vi } from "vitest";

const program = fileURLToPath(new URL("../../bin/codebuff.cjs", import.meta.url));

export interface PtyWorld {
  readonly llm: ScriptedLlm;
  readonly project: string;
  readonly home: string;
  /** A shell in a real terminal; `codebuff` is on its PATH. */
  openShell(env?: Record<string, string>): PtyShell;
}

/** The built command in a shell in a real terminal, and a model that follows a script. */
export async function openPtyWorld(script: ScriptInput): Promise<PtyWorld> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-pty-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [home, project, bin]) await mkdir(folder);
  await symlink(program, join(bin, "codebuff"));
  const llm = await startScriptedLlm({ script });
  const shells: PtyShell[] = [];
  onTestFinished(async () => {
    for (const shell of shells) await shell.close();
    await llm.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    llm,
    project,
    home,
    openShell(env = {}) {
      const own = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: home,
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        PS1: "shell> ",
        ANTHROPIC_API_KEY: "sk-ant-test",
        ANTHROPIC_BASE_URL: llm.url,
        ...env,
      };
      const shell = new PtyShell(
        spawn("bash", ["--norc", "--noprofile"], { cwd: project, env: own, cols: 100, rows: 30 }),
      );
      shells.push(shell);
      return shell;
    },
  };
}

class PtyShell {
  readonly #pty: IPty;
  readonly #xterm = new headless.Terminal({ cols: 100, rows: 30, scrollback: 10_000, allowProposedApi: true });
  readonly #exit: Promise<void>;
  #flushed: Promise<void> = Promise.resolve();
  written = "";

  constructor(pty: IPty) {
    this.#pty = pty;
    pty.onData((data) => {
      this.written += data;
      this.#flushed = new Promise((resolve) => this.#xterm.write(data, resolve));
    });
    // The terminal answers what it is asked: which background, which keys.
    this.#xterm.onData((answer) => pty.write(answer));
    this.#exit = new Promise((resolve) => {
      pty.onExit(() => resolve());
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  async everything(): Promise<string> {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    let text = "";
    for (let at = 0; at < active.length; at++) {
      const line = active.getLine(at);
      text += `${line?.isWrapped === true || at === 0 ? "" : "\n"}${line?.translateToString(true) ?? ""}`;
    }
    return text;
  }

  shows(text: string | RegExp): Promise<void> {
    return vi.waitFor(
      async () => {
        const seen = await this.everything();
        if (!(typeof text === "string" ? seen.includes(text) : text.test(seen)))
          throw new Error(`not there: ${text}\n${seen}`);
      },
      { timeout: 60_000, interval: 30 },
    );
  }

  /** For what the command does after a time of its own, such as listening to keys. */
  async pass(ms: number): Promise<void> {
    await setTimeout(ms);
  }

  async close(): Promise<void> {
    this.#pty.kill("SIGKILL");
    await this.#exit;
    this.#xterm.dispose();
  }
}
