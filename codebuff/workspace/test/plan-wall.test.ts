import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { Gate, openProject } from "../src/index.ts";
import { detectSandbox, type Sandbox } from "../src/policy/kernel-sandbox.ts";
import { judgedOnly, reading, writing, writingLines } from "./plan-corpus.ts";
import { copyOf, discard, hostileSettings, makePlanProject, photograph, runLine } from "./plan-project.ts";

const project = makePlanProject();
afterAll(() => discard(project.around));
const sandbox = await detectSandbox();
const everything = [...reading, ...writing, ...writingLines];
const minutes = 60_000;

async function planGate(root: string, confinedBy: Sandbox | undefined): Promise<Gate> {
  return new Gate({
    project: await openProject(root),
    writes: "denied",
    permissions: "unattended",
    sandbox: confinedBy,
  });
}

/** Runs what PLAN lets pass, one after the other, and tells which commands changed a byte. */
async function changesIn(root: string, commands: readonly string[], confinedBy: Sandbox | undefined) {
  const gate = await planGate(root, confinedBy);
  const changed: string[] = [];
  const failed: string[] = [];
  let ran = 0;
  let before = photograph(root);
  for (const command of commands) {
    const verdict = await gate.command(command);
    if (!verdict.ok) continue;
    ran += 1;
    const code = await runLine(verdict.run, root, project.environment);
    if (code !== 0) failed.push(command);
    const after = photograph(root);
    if (after !== before) changed.push(command);
    before = after;
  }
  return { changed, failed, ran };
}

test("the corpus has at least 250 commands, 60 of them ordinary reading", () => {
  expect(new Set(everything).size).toBeGreaterThanOrEqual(250);
  expect(new Set(reading).size).toBeGreaterThanOrEqual(60);
});

test(
  "the writing half of the corpus changes the project when nothing stops it: every fourth command is tried",
  async () => {
    const idle: string[] = [];
    const attempt = async (command: string) => {
      const around = copyOf(project);
      const root = path.join(around, "proj");
      const before = photograph(root);
      await runLine(command, root, {
        ...project.environment,
        HOME: path.join(around, "home"),
        TMPDIR: path.join(around, "tmp"),
      });
      if (photograph(root) === before) idle.push(command);
      discard(around);
    };
    const queue = [...writing, ...writingLines].filter((_, index) => index % 4 === 0);
    const size = queue.length;
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await attempt(next);
    };
    await Promise.all([worker(), worker(), worker()]);
    // A few need a program that is not everywhere; they stay in the corpus for the places where it is.
    expect(idle.length, idle.join("\n")).toBeLessThan(size * 0.1);
  },
  5 * minutes,
);

test(
  "by the table alone: what only reads runs and succeeds, and no byte changes",
  async () => {
    const gate = await planGate(project.root, undefined);
    const refused: string[] = [];
    for (const command of reading) if (!(await gate.command(command)).ok) refused.push(command);
    expect(refused).toEqual([]);
    const { changed, failed } = await changesIn(project.root, reading, undefined);
    expect({ changed, failed }).toEqual({ changed: [], failed: [] });
  },
  5 * minutes,
);

test(
  "by the table alone: of the writing commands none changes a byte",
  async () => {
    const { changed } = await changesIn(project.root, [...writing, ...writingLines], undefined);
    expect(changed).toEqual([]);
  },
  5 * minutes,
);

test.skipIf(sandbox === undefined)(
  "with the kernel: everything may run, and no byte changes",
  async () => {
    const { changed, ran } = await changesIn(project.root, everything, sandbox);
    expect(changed).toEqual([]);
    expect(ran).toBeGreaterThan(250);
  },
  10 * minutes,
);

test(
  "a repository whose settings run programs cannot use PLAN's git for it",
  async () => {
    const around = copyOf(project);
    const root = path.join(around, "proj");
    execFileSync("bash", ["-c", hostileSettings], { cwd: root, env: project.environment });
    const git = reading.filter((command) => command.includes("git"));
    for (const by of new Set([undefined, sandbox])) {
      expect((await changesIn(root, git, by)).changed).toEqual([]);
    }
    discard(around);
  },
  5 * minutes,
);

test.each(judgedOnly)("the table refuses %s", async (command) => {
  expect((await (await planGate(project.root, undefined)).command(command)).ok).toBe(false);
});
