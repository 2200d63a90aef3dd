import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";

const program = fileURLToPath(new URL("../bin/codebuff.cjs", import.meta.url));

export type Line = { type: string } & Record<string, unknown>;

export interface World {
  readonly home: string;
  readonly project: string;
  readonly llm: ScriptedLlm;
  /** Runs the command to its end with nothing of this machine's environment but PATH. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Starts it and leaves it running. */
  start(args: readonly string[], options?: RunOptions): Running;
  close(): Promise<void>;
}

interface RunOptions {
  readonly env?: Record<string, string | undefined>;
  /** Undefined closes standard input at once. */
  readonly stdin?: string;
  readonly cwd?: string;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly lines: Line[];
}

/** A home and a project of its own, `codebuff` on the PATH, and a model that follows a script. */
export async function openWorld(script: ScriptInput, files: Record<string, string> = {}): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-cli-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [home, project, bin]) await mkdir(folder);
  await symlink(program, join(bin, "codebuff"));
  for (const [path, content] of Object.entries(files)) {
    const full = path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  }
  const llm = await startScriptedLlm({ script });
  const running = new Set<Running>();
  const start = (args: readonly string[], { env = {}, cwd = project }: RunOptions = {}) => {
    const path = `${bin}:${process.env.PATH}`;
    const own = { PATH: path, HOME: home, ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: llm.url };
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...own, ...env } });
    const one = new Running(child);
    running.add(one);
    return one;
  };
  return {
    home,
    project,
    llm,
    start,
    async run(args, options = {}) {
      const one = start(args, options);
      one.child.stdin.end(options.stdin ?? "");
      return one.end();
    },
    async close() {
      await Promise.all([...running].map((one) => one.kill()));
      await llm.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: Line[] = [];
  readonly #err: Promise<string>;
  readonly #exit: Promise<unknown[]>;
  readonly #closed: Promise<unknown[]>;
  readonly #waiting = new Set<() => void>();
  #out = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdin.on("error", () => {});
    this.#err = text(child.stderr);
    this.#exit = once(child, "close");
    child.stdout.on("data", (chunk) => {
      this.#out += String(chunk);
    });
    const reader = createInterface({ input: child.stdout });
    // A test may destroy the stream as a reader that leaves would; readline does not notice that.
    this.#closed = Promise.race([once(reader, "close"), once(child.stdout, "close")]);
    reader.on("line", (line) => {
      if (line.startsWith("{")) this.lines.push(JSON.parse(line) as Line);
      for (const wake of this.#waiting) wake();
    });
    void this.#closed.then(() => {
      for (const wake of this.#waiting) wake();
    });
  }

  send(line: object | string): void {
    this.child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  /** The n-th line (from 1) of a type or kind, now or when it comes; rejects when the process ends without it. */
  async line(kind: string | ((line: Line) => boolean), n = 1): Promise<Line> {
    const fits = typeof kind === "string" ? ({ type }: Line) => type === kind : kind;
    let isOver = false;
    void this.#closed.then(() => {
      isOver = true;
    });
    for (;;) {
      const found = this.lines.filter(fits)[n - 1];
      if (found !== undefined) return found;
      if (isOver) throw new Error(`No line ${n} of ${String(kind)}: ${this.#out}\n${await this.#err}`);
      await new Promise<void>((wake) => {
        this.#waiting.add(wake);
      });
    }
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#exit;
  }

  async end(): Promise<Ended> {
    const [[code], err] = await Promise.all([this.#exit, this.#err, this.#closed]);
    return { code: code as number | null, out: this.#out, err, lines: this.lines };
  }
}
