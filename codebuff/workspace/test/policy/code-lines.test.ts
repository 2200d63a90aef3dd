import { expect, test } from "vitest";
import { Gate, openProject, type Permissions } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";
import { readsOther, readsSecret } from "./code-lines.ts";

const files = {
  "package.json": "{}",
  "src/a.ts": "",
  "data.csv": "",
  ".gitignore": ".env\n",
  ".env.example": "KEY=\n",
};

async function passing(commands: readonly string[], permissions: Permissions, more: Record<string, string> = {}) {
  const { root } = await projectFixture({ ...files, ...more });
  const gate = new Gate({ project: await openProject(root), permissions });
  const passed: string[] = [];
  for (const command of commands) if ((await gate.command(command)).ok) passed.push(command);
  return passed;
}

const secret = { ".env": "API_TOKEN=s3cr3t-Alpha-Value-1234\n" };

test.each(["default", "accept-edits", "ask", "unattended", "deny"] as const)(
  "%s: no code in a line reads a secret file without a yes",
  async (permissions) => {
    expect(await passing(readsSecret, permissions, secret)).toEqual([]);
  },
);

test.each(["ask", "unattended"] as const)("%s: code beside it is no false alarm", async (permissions) => {
  const passed = new Set(await passing(readsOther, permissions, secret));
  const strict = new Set(await passing(readsOther, permissions));
  // What is asked for in a project without a secret has another reason.
  expect(readsOther.filter((command) => strict.has(command) && !passed.has(command))).toEqual([]);
  expect(strict.size).toBeGreaterThanOrEqual(readsOther.length - (permissions === "ask" ? 6 : 0));
});
