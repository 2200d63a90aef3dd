import { execFileSync } from "node:child_process";
import path from "node:path";
import { detectSandbox, trySandbox } from "@muster/confinement";
import { afterAll, expect, test } from "vitest";
import { judgedOnly, reading, writing, writingLines } from "./plan-corpus.ts";
import {
  copyOf,
  differences,
  discard,
  hostileSettings,
  makePlanProject,
  photograph,
  putBack,
  runLines,
} from "./plan-project.ts";
import { allowedBy, changesBy, planGate } from "./plan-runs.ts";

const project = makePlanProject();
afterAll(() => discard(project.around));
const sandbox = await detectSandbox();
const bubblewrap = sandbox?.by === "bubblewrap" ? undefined : await trySandbox("bubblewrap");
const everything = [...reading, ...writing, ...writingLines];
const minutes = 60_000;
const here = { root: project.root, environment: project.environment };

test("the corpus has at least 250 commands, 60 of them ordinary reading", () => {
  expect(new Set(everything).size).toBeGreaterThanOrEqual(250);
  expect(new Set(reading).size).toBeGreaterThanOrEqual(60);
});

test(
  "the writing half of the corpus changes the project when nothing stops it: every fourth command is tried",
  async () => {
    const around = copyOf(project);
    const root = path.join(around, "proj");
    const home = { HOME: path.join(around, "home"), TMPDIR: path.join(around, "tmp") };
    const place = { root, environment: { ...project.environment, ...home } };
    const original = photograph(root);
    const idle: string[] = [];
    const tried = [...writing, ...writingLines].filter((_, index) => index % 4 === 0);
    for (const command of tried) {
      await runLines([command], place);
      const changed = differences(original, photograph(root));
      if (changed.length === 0) idle.push(command);
      putBack(project.root, root, changed);
    }
    expect(differences(original, photograph(root))).toEqual([]);
    discard(around);
    // A few need a program that is not everywhere; they stay in the corpus for the places where it is.
    expect(idle.length, idle.join("\n")).toBeLessThan(tried.length * 0.1);
  },
  5 * minutes,
);

test(
  "by the table alone: what only reads runs and succeeds, and no byte changes",
  async () => {
    const gate = await planGate(project.root, undefined);
    const allowed = await allowedBy(gate, reading);
    expect(allowed.map(({ command }) => command)).toEqual(reading);
    expect(await changesBy(here, allowed)).toEqual({ changed: [], failed: [] });
  },
  5 * minutes,
);

test(
  "by the table alone: of the writing commands none changes a byte",
  async () => {
    const gate = await planGate(project.root, undefined);
    const allowed = await allowedBy(gate, [...writing, ...writingLines]);
    expect((await changesBy(here, allowed)).changed).toEqual([]);
  },
  5 * minutes,
);

test(
  "with the kernel: everything may run, and no byte changes",
  async (context) => {
    if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
    const gate = await planGate(project.root, sandbox);
    const allowed = await allowedBy(gate, everything);
    expect(allowed.length).toBeGreaterThan(250);
    const wish = { root: project.root, writes: "nothing", network: "denied" } as const;
    const bare = allowed.map(({ command }) => ({ command, run: command }));
    expect((await changesBy({ ...here, confine: (script) => sandbox.wrap(script, wish) }, bare)).changed).toEqual([]);
    // The same by the line the terminal would be given, a sandbox for each.
    const single = allowed.filter((_, index) => index % 16 === 0);
    expect((await changesBy(here, single)).changed).toEqual([]);
  },
  10 * minutes,
);

test(
  "with bubblewrap, where it is installed beside the namespaces: everything may run, and no byte changes",
  async (context) => {
    if (bubblewrap === undefined) return context.skip("bubblewrap is not installed here, or may make no sandbox");
    const wish = { root: project.root, writes: "nothing", network: "denied" } as const;
    const bare = everything.map((command) => ({ command, run: command }));
    expect((await changesBy({ ...here, confine: (script) => bubblewrap.wrap(script, wish) }, bare)).changed).toEqual(
      [],
    );
  },
  10 * minutes,
);

test(
  "a repository whose settings run programs cannot use PLAN's git for it",
  async () => {
    const around = copyOf(project);
    const root = path.join(around, "proj");
    execFileSync("bash", ["-c", hostileSettings], { cwd: root, env: project.environment });
    const git = [...reading.filter((command) => command.includes("git")), "/usr/bin/git diff", "git -C . diff HEAD~1"];
    for (const by of new Set([undefined, sandbox])) {
      const allowed = await allowedBy(await planGate(root, by), git);
      expect((await changesBy({ ...here, root }, allowed)).changed).toEqual([]);
    }
    discard(around);
  },
  5 * minutes,
);

test.each(judgedOnly)("the table refuses %s", async (command) => {
  expect((await (await planGate(project.root, undefined)).command(command)).ok).toBe(false);
});
