import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Gate, openProject, type Permissions } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";
import { destroys, falseAlarms, harmless, reaches } from "./policy-words.ts";

test("the table has at least 300 commands, about half of them harmless", () => {
  expect(destroys.length + harmless.length).toBeGreaterThanOrEqual(300);
  expect(Math.min(destroys.length, harmless.length)).toBeGreaterThanOrEqual(150);
  expect(new Set([...destroys, ...harmless]).size).toBe(destroys.length + harmless.length);
});

async function passing(commands: readonly string[], options: { permissions: Permissions; writes?: "denied" }) {
  const { root } = await projectFixture({ "package.json": "{}", "src/a.ts": "", "dist/x": "" });
  mkdirSync(path.join(root, ".git"));
  const gate = new Gate({ project: await openProject(root), ...options });
  const passed: string[] = [];
  for (const command of commands) if ((await gate.command(command)).ok) passed.push(command);
  return passed;
}

test.each([
  { permissions: "default" },
  { permissions: "accept-edits" },
  { permissions: "ask" },
  { permissions: "unattended" },
  { permissions: "deny" },
  { permissions: "sandboxed" },
  { permissions: "unattended", writes: "denied" },
] as const)("%o: nothing that destroys or reaches outside runs without a yes", async (options) => {
  expect(await passing(destroys, options)).toEqual([]);
});

test.each(["default", "accept-edits", "ask", "deny"] as const)(
  "%s: nothing reaches outside without a yes",
  async (permissions) => {
    expect(await passing(reaches, { permissions })).toEqual([]);
  },
);

test("unattended runs what only reaches outside", async () => {
  expect(await passing(reaches, { permissions: "unattended" })).toEqual(reaches);
});

test("the false alarms are known: one of them", async () => {
  expect(await passing(falseAlarms, { permissions: "unattended" })).toEqual([]);
  expect(falseAlarms).toHaveLength(1);
});

test.each(["ask", "unattended", "allow"] as const)("%s: no false alarm", async (permissions) => {
  const passed = new Set(await passing(harmless, { permissions }));
  expect(harmless.filter((command) => !passed.has(command))).toEqual([]);
});
