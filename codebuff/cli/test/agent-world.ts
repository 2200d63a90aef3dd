import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../bin/codebuff.mjs", import.meta.url));

export type Line = { type: string } & Record<string, unknown>;

export interface AgentWorld {
  readonly home: string;
  readonly project: string;
  readonly llm: ScriptedLlm;
  /** The command as a process, with nothing of this machine's environment but PATH. */
  start(args: readonly string[], env?: Record<string, string | undefined>): Command;
}

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];

/** A home and a project of its own, `codebuff` on the PATH, and a model that answers `/agent` with these turns. */
export async function openAgentWorld(
  turns: Turns,
  files: Record<string, string> = {},
  others: NonNullable<ScriptInput["conversations"]> = [],
): Promise<AgentWorld> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-agent-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  for (const folder of [home, project, bin]) await mkdir(folder);
  await symlink(program, join(bin, "codebuff"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
  const agent = { name: "agent", match: { system: "Codebuff in agent mode" }, turns };
  const llm = await startScriptedLlm({ script: { conversations: [agent, ...others] } });
  const running = new Set<Command>();
  onTestFinished(async () => {
    for (const one of running) await one.kill();
    await llm.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    home,
    project,
    llm,
    start(args, env = {}) {
      const own = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: home,
        ANTHROPIC_API_KEY: "sk-ant-fake",
        ANTHROPIC_BASE_URL: llm.url,
      };
      const one = new Command(spawn(process.execPath, [program, ...args], { cwd: project, env: { ...own, ...env } }));
      running.add(one);
      return one;
    },
  };
}

/** A running command and the lines it has written. */
class Command {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #text = "";
  #errors = "";
  #isOver = false;
  #wake: () => void = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdin?.end();
    child.stderr?.on("data", (piece) => {
      this.#errors += String(piece);
    });
    if (child.stdout === null) throw new Error("The command has no output");
    createInterface({ input: child.stdout }).on("line", (line) => {
      this.#text += `${line}\n`;
      if (line.startsWith("{")) this.lines.push(JSON.parse(line) as Line);
      this.#wake();
    });
    this.#ended = once(child, "close").then(([code]) => {
      this.#isOver = true;
      this.#wake();
      return code as number | null;
    });
  }

  /** Standard output, or what was said on standard error. */
  get text(): { out: string; err: string } {
    return { out: this.#text, err: this.#errors };
  }

  /** The first line that fits, now or when it comes. */
  async line(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found !== undefined) return found;
      if (this.#isOver) throw new Error(`No such line: ${this.#text}\n${this.#errors}`);
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  end(): Promise<number | null> {
    return this.#ended;
  }

  async kill(): Promise<void> {
    if (!this.#isOver) this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

export const xmlCall = (name: string, params: Record<string, string>) =>
  `<${name}>\n${Object.entries(params)
    .map(([key, value]) => `<${key}>${value}</${key}>\n`)
    .join("")}</${name}>`;

export const terminal = (command: string) => xmlCall("run_terminal_command", { command });
export const done = (text: string) => `${text}\n<end_turn></end_turn>`;

/** A slow machine: the agent looks again until the terminal has said that. */
export const stillRunning = (text: string) => ({
  match: { not: { body: text } },
  times: 20,
  text: `It is still running.\n${xmlCall("run_terminal_command", { yield_seconds: "30" })}`,
});

/** The values of a tool's results, in order. */
export function resultsOf(lines: readonly Line[], toolName: string): Record<string, unknown>[] {
  return lines
    .filter((line) => line.type === "tool_result" && line.toolName === toolName)
    .flatMap((line) => (line.output as { value: Record<string, unknown> }[]).map(({ value }) => value));
}
