import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { isLong, tell } from "@muster/chaos";
import { detectSandbox } from "@muster/confinement";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyOf, differences, discard, makePlanProject, photograph, putBack, runLines } from "./plan-project.ts";
import { allowedBy, changesBy, planGate } from "./plan-runs.ts";
import { secondWriting, sending } from "./writing-commands.ts";

const project = makePlanProject();
const beside = `#!/bin/sh\necho x >>"$(dirname "$0")/written"\n`;
writeFileSync(path.join(project.root, "beside.sh"), beside, { mode: 0o755 });
const here = { root: project.root, environment: project.environment };
const sandbox = await detectSandbox();
const all = [...new Set(secondWriting(project.root))];
/** The short form tries a part, and with it what once got through. */
const tried = all.filter(
  (command, index) => isLong || index % 12 === 0 || /beside\.sh|--list|\[ab\]|xxd -|[\r\v\f]|stash -m/.test(command),
);
const minutes = 60_000;
const heard = { connections: 0 };
const server = createServer((socket) => {
  heard.connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  server.close();
  discard(project.around);
});

test("there are at least 500 commands", () => {
  expect(all.length).toBeGreaterThanOrEqual(500);
});

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
    tell({ fault: "second attack on PLAN: writers", tried: tried.length, held: tried.length - idle.length });
    expect(idle.length, idle.join("\n")).toBeLessThan(tried.length * 0.1);
  },
  30 * minutes,
);

test(
  "PLAN by the table alone: none changes a byte",
  async () => {
    const allowed = await allowedBy(await planGate(project.root, undefined), all);
    const { changed } = await changesBy(here, allowed);
    tell({ fault: "second attack on PLAN: table", tried: all.length, held: all.length - changed.length });
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
    tell({ fault: "second attack on PLAN: kernel", tried: allowed.length, held: allowed.length - changed.length });
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
    tell({ fault: "second attack on sandboxed", tried: tried.length, held: tried.length - changed.length });
    expect(changed).toEqual([]);
  },
  30 * minutes,
);

test(
  "nothing is sent out of PLAN and of sandboxed",
  async () => {
    const { port } = server.address() as AddressInfo;
    const commands = sending
      .filter((_, index) => isLong || index % 6 === 0)
      .map((command) => command.replaceAll("PORT", String(port)));
    const silent: string[] = [];
    for (const command of commands) {
      const before = heard.connections;
      await runLines([command], here);
      if (heard.connections === before) silent.push(command);
    }
    // Some need a program that is not everywhere.
    expect(silent.length, silent.join("\n")).toBeLessThan(commands.length * 0.2);
    const before = heard.connections;
    const byTable = await allowedBy(await planGate(project.root, undefined), commands);
    await changesBy(here, byTable);
    if (sandbox !== undefined) {
      const byKernel = await allowedBy(await planGate(project.root, sandbox), commands);
      await changesBy(here, byKernel);
      const wish = { root: project.root, writes: "project", network: "denied" } as const;
      const bare = commands.map((command) => ({ command, run: command }));
      await changesBy({ ...here, confine: (script) => sandbox.wrap(script, wish) }, bare);
    }
    tell({ fault: "second attack: sent out", tried: commands.length, held: commands.length - silent.length });
    expect(heard.connections).toBe(before);
  },
  10 * minutes,
);
