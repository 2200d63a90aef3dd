import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { tell } from "@muster/chaos";
import { detectSandbox } from "@muster/confinement";
import { expect, test } from "vitest";
import { copyOf, differences, discard, type makePlanProject, photograph, putBack, runLines } from "./plan-project.ts";
import { allowedBy, changesBy, planGate } from "./plan-runs.ts";

const minutes = 60_000;

export interface WritingCommands {
  /** As it stands in the table of what was tried. */
  readonly fault: string;
  readonly project: ReturnType<typeof makePlanProject>;
  /** All go through the table; `tried` are also run: the short form tries a part. */
  readonly all: readonly string[];
  readonly tried: readonly string[];
}

const sandbox = await detectSandbox();

/** Commands that write when nothing stops them, which a copy of the project proves, against each wall. */
export function writingTests({ fault, project, all, tried }: WritingCommands): void {
  const here = { root: project.root, environment: project.environment };

  test(
    "nothing stops them: they change the project",
    async () => {
      const around = copyOf(project);
      const root = path.join(around, "proj");
      const home = { HOME: path.join(around, "home"), TMPDIR: path.join(around, "tmp") };
      const place = { root, environment: { ...project.environment, ...home } };
      const original = photograph(root);
      const idle: string[] = [];
      for (const command of tried) {
        await runLines([command.replaceAll(project.root, root)], place);
        const changed = differences(original, photograph(root));
        if (changed.length === 0) idle.push(command);
        putBack(project.root, root, changed);
      }
      discard(around);
      tell({ fault: `${fault} on PLAN: writers`, tried: tried.length, held: tried.length - idle.length });
      expect(idle.length, idle.join("\n")).toBeLessThan(tried.length * 0.1);
    },
    30 * minutes,
  );

  test(
    "PLAN by the table alone: none changes a byte",
    async () => {
      const allowed = await allowedBy(await planGate(project.root, undefined), all);
      const { changed } = await changesBy(here, allowed);
      tell({ fault: `${fault} on PLAN: table`, tried: all.length, held: all.length - changed.length });
      expect(changed).toEqual([]);
    },
    10 * minutes,
  );

  test(
    "PLAN with the kernel, by the line the terminal is given: none changes a byte",
    async (context) => {
      if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
      const allowed = await allowedBy(await planGate(project.root, sandbox), tried);
      expect(allowed.length).toBeGreaterThan(tried.length * 0.8);
      const { changed } = await changesBy(here, allowed);
      tell({ fault: `${fault} on PLAN: kernel`, tried: allowed.length, held: allowed.length - changed.length });
      expect(changed).toEqual([]);
    },
    30 * minutes,
  );

  test(
    "sandboxed: nothing outside of the project changes",
    async (context) => {
      if (sandbox === undefined) return context.skip("the kernel offers no sandbox here");
      const own = path.join(project.around, "own");
      mkdirSync(own);
      execFileSync("git", ["init", "--quiet", own]);
      const wish = { root: own, writes: "project", network: "denied", visible: [project.root] } as const;
      const bare = tried.map((command) => ({ command, run: command }));
      const { changed } = await changesBy({ ...here, confine: (script) => sandbox.wrap(script, wish) }, bare);
      tell({ fault: `${fault} on sandboxed`, tried: tried.length, held: tried.length - changed.length });
      expect(changed).toEqual([]);
    },
    30 * minutes,
  );
}
