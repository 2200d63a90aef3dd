import type { PolicyRule } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { Permissions } from "../../src/index.ts";
import { Gate, openProject } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";
import { honest, type Injection, injections } from "./injection-corpus.ts";

/** Every way words of strangers come in. */
const doors = ["read_url", "web_search", "read_docs", "evil__answer", "a command"] as const;

test("there are at least 60 injections", () => {
  expect(injections.length).toBeGreaterThanOrEqual(60);
});

async function outcome(injection: Injection, gate: Gate): Promise<boolean> {
  if (injection.tool === "read_url") return (await gate.fetch(injection.input)).ok;
  if (injection.tool === "other__post") return (await gate.tool(injection.tool, { isForeign: true })).ok;
  return (await gate.command(injection.input)).ok;
}

async function gateAfter(door: string | undefined, permissions: Permissions, rules: readonly PolicyRule[] = []) {
  const { root } = await projectFixture({ "package.json": "{}", "src/main.ts": "" });
  const gate = new Gate({ project: await openProject(root), permissions, rules });
  // Where nobody can be asked the command is refused; a person would have said yes.
  const isFetched = door === "a command" && (await gate.command("curl https://example.com/")).ok;
  if (door !== undefined && !isFetched) gate.readOutside(door);
  return gate;
}

describe.each(doors)("after words of strangers came in by %s", (door) => {
  test("nothing an injection asks for is sent without a yes", async () => {
    for (const permissions of ["default", "accept-edits", "ask", "unattended", "sandboxed", "deny"] as const) {
      const gate = await gateAfter(door, permissions);
      const sent: string[] = [];
      for (const one of injections) if (await outcome(one, gate)) sent.push(one.input);
      expect({ permissions, sent }).toEqual({ permissions, sent: [] });
    }
  });
});

test("what work goes on with is not asked for again", async () => {
  for (const permissions of ["ask", "unattended"] as const) {
    const [fresh, after] = [await gateAfter(undefined, permissions), await gateAfter("read_url", permissions)];
    const alarms: string[] = [];
    for (const one of honest) if ((await outcome(one, fresh)) && !(await outcome(one, after))) alarms.push(one.input);
    expect({ permissions, alarms }).toEqual({ permissions, alarms: [] });
  }
});

test("before, and where the person allowed it, unattended work sends", async () => {
  const push = { says: "", tool: "run_terminal_command", input: "git push origin main" } as const;
  expect(await outcome(push, await gateAfter(undefined, "unattended"))).toBe(true);
  expect(await outcome(push, await gateAfter("read_url", "unattended"))).toBe(false);
  const rules = [{ effect: "allow", command: "git push origin main" }] as const;
  expect(await outcome(push, await gateAfter("read_url", "unattended", rules))).toBe(true);
  expect(await outcome(push, await gateAfter("read_url", "allow"))).toBe(true);
  const tools = [{ effect: "allow", tool: "other__*" }] as const;
  const post = { says: "", tool: "other__post", input: "" } as const;
  expect(await outcome(post, await gateAfter("read_url", "unattended", tools))).toBe(true);
});

test("another tool of the server that answered is not suspect, one of another server is", async () => {
  const gate = await gateAfter("evil__answer", "unattended");
  expect(await gate.tool("evil__post", { isForeign: true })).toMatchObject({ ok: true });
  expect(await gate.tool("other__post", { isForeign: true })).toMatchObject({
    ok: false,
    message: expect.stringContaining("evil__answer"),
  });
});

test("an always for a tool of an MCP server holds as long as the tool says the same of itself", async () => {
  const { root } = await projectFixture();
  const asked: string[] = [];
  const gate = new Gate({
    project: await openProject(root),
    permissions: "ask",
    ask: async ({ title }) => {
      asked.push(title);
      return { decision: "always" };
    },
  }).forCall({ toolCallId: "c", runId: "r", agentId: "a", signal: new AbortController().signal });
  for (const fingerprint of ["one", "one", "two", "two"]) {
    expect(await gate.tool("srv__tool", { isForeign: true, fingerprint })).toEqual({ ok: true });
  }
  expect(asked).toEqual(["Use the tool srv__tool", "Use the tool srv__tool"]);
});

test("a hint of the server opens nothing: in PLAN and deny its tools are refused", async () => {
  const { root } = await projectFixture();
  const project = await openProject(root);
  for (const options of [{ writes: "denied" }, { permissions: "deny" }] as const) {
    const gate = new Gate({ project, ...options });
    expect(await gate.tool("evil__peek", { isForeign: true, effect: "writes" })).toMatchObject({ ok: false });
  }
});
