/** The built command in a shell in a real terminal, with a headless screen behind it. */
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { startScriptedLlm } from "@muster/scripted-llm";
import headless from "@xterm/headless";

const program = fileURLToPath(new URL("../bin/codebuff.cjs", import.meta.url));
const waitMs = 60_000;

/** A place with a home, a project and a model that follows a script; `close` ends everything. */
export async function openPlace(script) {
  const root = await mkdtemp(join(tmpdir(), "muster-bench-"));
  const [home, project, bin] = ["home", "home/project", "bin"].map((name) => join(root, name));
  for (const folder of [home, project, bin]) await mkdir(folder);
  await symlink(program, join(bin, "codebuff"));
  const llm = await startScriptedLlm({ script });
  const terminals = [];
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PS1: "shell> ",
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: llm.url,
  };
  return {
    root,
    home,
    project,
    env,
    llm,
    open(command = "bash", args = ["--norc", "--noprofile"], size = {}) {
      const terminal = new Terminal(command, args, { cwd: project, env }, size);
      terminals.push(terminal);
      return terminal;
    },
    async close() {
      for (const terminal of terminals) await terminal.close();
      await llm.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export class Terminal {
  #pty;
  #xterm;
  #flushed = Promise.resolve();
  #listeners = new Set();
  #exit;
  bytes = 0;
  clears = 0;

  constructor(command, args, { cwd, env }, { columns = 120, rows = 40 } = {}) {
    this.#xterm = new headless.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
    this.started = performance.now();
    this.#pty = spawn(command, args, { cwd, env, cols: columns, rows });
    this.#exit = new Promise((resolve) => this.#pty.onExit(resolve));
    this.#pty.onData((data) => {
      this.bytes += Buffer.byteLength(data);
      this.clears += data.split("\u001b[2J").length + data.split("\u001b[3J").length - 2;
      this.#flushed = new Promise((resolve) => this.#xterm.write(data, resolve));
      for (const listener of this.#listeners) listener(data);
    });
    this.#xterm.onData((answer) => this.#pty.write(answer));
  }

  get pid() {
    return this.#pty.pid;
  }

  type(text) {
    this.#pty.write(text);
  }

  resize(columns, rows) {
    this.#xterm.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Milliseconds until what is written from now on holds this text. */
  until(text, begin = () => undefined) {
    let seen = "";
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const late = setTimeout(() => {
        this.#listeners.delete(listener);
        reject(new Error(`${JSON.stringify(text)} never came: ${JSON.stringify(seen.slice(-400))}`));
      }, waitMs);
      const listener = (data) => {
        seen = (seen + data).slice(-20_000);
        if (!(typeof text === "string" ? seen.includes(text) : text.test(seen))) return;
        clearTimeout(late);
        this.#listeners.delete(listener);
        resolve(performance.now() - started);
      };
      this.#listeners.add(listener);
      begin();
    });
  }

  /** Milliseconds until this stands in the window: what lies between this terminal and the command may send less than it got. */
  untilShown(text, begin) {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const end = (settle) => {
        clearTimeout(late);
        this.#listeners.delete(listener);
        settle();
      };
      const late = setTimeout(() => end(() => reject(new Error(`${JSON.stringify(text)} was never shown`))), waitMs);
      const listener = async () => {
        await this.#flushed;
        if (this.#window().includes(text)) end(() => resolve(performance.now() - started));
      };
      this.#listeners.add(listener);
      begin();
    });
  }

  #window() {
    const { active } = this.#xterm.buffer;
    const rows = Array.from({ length: this.#xterm.rows }, (_, row) => active.getLine(active.baseY + row));
    return rows.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  /** Every line with the scrollback; a line that the terminal wrapped is one. */
  async lines() {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    const lines = [];
    for (let at = 0; at < active.length; at++) {
      const line = active.getLine(at);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return lines;
  }

  /** The window, cell by cell. */
  async cells() {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    const { cols, rows } = this.#xterm;
    return Array.from({ length: rows }, (_, row) =>
      Array.from({ length: cols }, (_, column) => cellOf(active.getLine(active.baseY + row)?.getCell(column))),
    ).map((cells) => cells.filter(({ width }) => width > 0));
  }

  /** Waits until this is somewhere on the screen or above it. */
  async shows(text) {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const seen = (await this.lines()).join("\n");
      if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return;
      if (performance.now() > deadline) throw new Error(`not there: ${text}\n${seen.slice(-2000)}`);
      await pause(50);
    }
  }

  async close() {
    this.#pty.kill("SIGKILL");
    await this.#exit;
    this.#xterm.dispose();
  }
}

function cellOf(cell) {
  if (cell === undefined) return { text: " ", width: 1 };
  return {
    text: cell.getChars() || " ",
    width: cell.getWidth(),
    fg: cell.isFgDefault() ? undefined : cell.getFgColor(),
    bg: cell.isBgDefault() ? undefined : cell.getBgColor(),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underlined: cell.isUnderline() !== 0,
    struck: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}
