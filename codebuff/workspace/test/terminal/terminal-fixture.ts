import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Terminal, type TerminalOptions } from "../../src/terminal/index.ts";

export interface Place {
  root: string;
  state: string;
}

export function temporaryPlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codebuff-terminal-test-")));
  const place = { root: join(base, "project"), state: join(base, "state") };
  for (const directory of Object.values(place)) mkdirSync(directory);
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return place;
}

/** A terminal with a project directory of its own; closed when the test ends. */
export function openTerminal(options: Partial<TerminalOptions> = {}): Terminal & Place {
  const place = temporaryPlace();
  const environment = { PATH: process.env.PATH ?? "", HOME: place.root, LANG: "C.UTF-8" };
  const terminal = new Terminal({ root: place.root, stateDirectory: place.state, environment, ...options });
  onTestFinished(() => terminal.close());
  return Object.assign(terminal, place);
}

/** Living processes that have `argument` among their arguments. */
export function processesWith(argument: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
      } catch {
        return false;
      }
    })
    .map(Number);
}

let used = 0;

/** A duration for `sleep` that no other process has: it makes the process countable. */
export function uniqueSeconds(): string {
  return `300.${process.pid}${String(Date.now() % 100_000)}${++used}`;
}

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const limit = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
