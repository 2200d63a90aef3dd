import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { isLong, tell } from "@muster/chaos";
import { detectSandbox } from "@muster/confinement";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discard, makePlanProject, runLines } from "./plan-project.ts";
import { allowedBy, changesBy, planGate } from "./plan-runs.ts";
import { secondWriting, sending } from "./writing-commands.ts";
import { writingTests } from "./writing-suite.ts";

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

writingTests({ fault: "second attack", project, all, tried });

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
