import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { outputError, type ToolCall, type ToolCallResult } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { AgentHands, CustomTool } from "../src/index.ts";
import { projectFixture } from "./project-fixture.ts";
import { openTerminal, processesWith, uniqueSeconds, until } from "./terminal/terminal-fixture.ts";

const call = (toolName: string, input: Record<string, unknown>, toolCallId = toolName): ToolCall => ({
  toolName,
  toolCallId,
  input: input as never,
});
const read = (file: string) => call("read_files", { paths: [file] });
const write = (file: string, content: string) => call("write_file", { path: file, instructions: "", content });
const replace = (file: string, old: string, fresh: string) =>
  call("str_replace", { path: file, replacements: [{ old, new: fresh }] });
const command = (text: string, more: Record<string, unknown> = {}) =>
  call("run_terminal_command", { command: text, ...more });

async function value<Value = Record<string, unknown>>(hands: AgentHands, one: ToolCall): Promise<Value> {
  const [result] = await hands.call([one]);
  const part = result?.output[0];
  if (part?.type !== "json") throw new Error("no json part");
  return part.value as never;
}

/** A tool that is at work until it is told to end. */
function gatedTool() {
  const ends: (() => void)[] = [];
  let onBegin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    onBegin = resolve;
  });
  const execute = () =>
    new Promise<[]>((resolve) => {
      ends.push(() => resolve([]));
      onBegin();
    });
  return { execute, begun, end: () => ends.forEach((end) => void end()) };
}

describe("order", () => {
  test("a read of one run does not wait for a slow call of another run or of another agent", async () => {
    const slow = gatedTool();
    const { workspace, hands } = await projectFixture({ "a.txt": "a\n" }, { customTools: { slow } });
    const waiting = hands.call([call("slow", {}), read("a.txt")]);
    await slow.begun;
    const other = workspace.beginRun({ runId: "run-2" });
    expect(await value(other, read("a.txt"))).toMatchObject([{ content: "a\n" }]);
    const child = hands.beginAgent({ agentId: "child", runId: "run-3" });
    expect(await value(child, read("a.txt"))).toMatchObject([{ content: "a\n" }]);
    slow.end();
    expect(await waiting).toHaveLength(2);
  });

  test("two runs never write one path at the same time: every edit arrives", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `<${index}>`);
    const { root, workspace } = await projectFixture({ "a.txt": lines.join("\n") });
    const runs = Array.from({ length: 6 }, (_, index) => workspace.beginRun({ runId: `run-${index}` }));
    const results = await Promise.all(
      lines.map((line, index) => (runs[index % 6] ?? runs[0])?.call([replace("./a.txt", line, `[${index}]`)])),
    );
    expect(results.flatMap((one) => one ?? []).map(({ output }) => outputError(output))).toEqual(
      lines.map(() => undefined),
    );
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe(lines.map((_, index) => `[${index}]`).join("\n"));
  });

  test("a writer that hangs after its run was aborted keeps no path from others", async () => {
    const slow = gatedTool();
    const { workspace, hands } = await projectFixture({}, { overrides: { write_file: slow.execute } });
    const abort = new AbortController();
    const hanging = hands.call([write("a.txt", "x")], { signal: abort.signal });
    await slow.begun;
    const other = workspace.beginRun({ runId: "run-2" });
    const waiting = value(other, write("a.txt", "y"));
    abort.abort();
    expect(outputError((await hanging)[0]?.output ?? [])).toContain("Interrupted");
    expect(await waiting).toMatchObject({ message: "Created new file" });
  });
});

test("tools, overrides, questions and policy are each run's own, and children inherit them", async () => {
  const named = (name: string): CustomTool => ({
    effect: "none",
    execute: (_input, { runId, agentId }) => [{ type: "json", value: { name, runId, agentId } }],
  });
  const { workspace } = await projectFixture({ "a.txt": "a\n" });
  const plan = workspace.beginRun({
    runId: "plan",
    writes: "denied",
    customTools: { who: named("plan") },
    askUser: async () => ({ answers: [{ questionIndex: 0, selectedOption: "a" }] }),
  });
  const free = workspace.beginRun({
    runId: "free",
    customTools: { who: named("free") },
    overrides: { read_files: async () => [{ type: "json", value: "overridden" }] },
  });
  const child = plan.beginAgent({ agentId: "c1", runId: "plan-1" });
  const question = call("ask_user", { questions: [{ question: "?", options: [{ label: "a" }, { label: "b" }] }] });
  expect(await value(plan, call("who", {}))).toEqual({ name: "plan", runId: "plan", agentId: "main-agent" });
  expect(await value(child, call("who", {}))).toEqual({ name: "plan", runId: "plan-1", agentId: "c1" });
  expect(await value(free, call("who", {}))).toEqual({ name: "free", runId: "free", agentId: "main-agent" });
  expect(await value(child, question)).toHaveProperty("answers");
  expect(await value(free, question)).toEqual({ skipped: true });
  expect(await value(free, read("a.txt"))).toBe("overridden");
  expect(await value(child, write("b.txt", "x"))).toHaveProperty("errorMessage");
  expect(await value(free, write("b.txt", "x"))).toHaveProperty("message");
  plan.gate.switchTo({ writes: "allowed" });
  expect(await value(child, write("c.txt", "x"))).toHaveProperty("message");
});

test("PLAN holds for a terminal that the embedding program brings along", async () => {
  const ran: unknown[] = [];
  const { hands } = await projectFixture(
    {},
    {
      writes: "denied",
      overrides: {
        run_terminal_command: async (input) => {
          ran.push(input.command);
          return [];
        },
      },
    },
  );
  const results = await hands.call([command("touch x"), command("pwd")]);
  expect(results.map(({ output }) => outputError(output))).toEqual([expect.stringContaining("PLAN"), undefined]);
  expect(ran).toEqual(["pwd"]);
});

describe("asking", () => {
  const askAll = [{ effect: "ask" as const, path: "**" }];

  test("an edit is asked once, with the whole diff and the call it belongs to, and written after the yes", async () => {
    const asked: Record<string, unknown>[] = [];
    const { root, hands } = await projectFixture(
      { "a.txt": "one\n", "b.txt": "gone\n" },
      {
        rules: askAll,
        ask: async ({ signal, ...request }) => {
          asked.push({ ...request, aborted: signal.aborted, onDisk: readFileSync(path.join(root, "a.txt"), "utf8") });
          return { decision: "once" };
        },
      },
    );
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+two",
      "*** Delete File: b.txt",
      "*** Add File: c.txt",
      "+new",
      "*** End Patch",
    ].join("\n");
    const child = hands.beginAgent({ agentId: "c1", runId: "run-c1" });
    const result = await value(child, call("apply_patch", { operation: { type: "patch", patch } }, "call-7"));
    expect(result).toHaveProperty("applied");
    expect(asked).toEqual([
      {
        toolCallId: "call-7",
        rules: [],
        runId: "run-c1",
        agentId: "c1",
        tool: "apply_patch",
        action: "edit",
        title: "Edit a.txt, b.txt, c.txt",
        reason: "a rule asks for it",
        paths: ["a.txt", "b.txt", "c.txt"],
        diff: expect.any(String),
        aborted: false,
        onDisk: "one\n",
      },
    ]);
    for (const line of [
      "--- a/a.txt",
      "-one",
      "+two",
      "--- a/b.txt",
      "-gone",
      "+++ /dev/null",
      "+++ b/c.txt",
      "+new",
    ]) {
      expect(String(asked[0]?.diff).split("\n")).toContain(line);
    }
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("two\n");
  });

  test("a no leaves everything as it is and its reason reaches the model", async () => {
    const ask = async () => ({ decision: "deny" as const, message: "use the other file" });
    const { root, hands } = await projectFixture({ "a.txt": "one\n" }, { rules: askAll, ask });
    expect(await value(hands, replace("a.txt", "one", "two"))).toEqual({
      file: "a.txt",
      errorMessage: "Denied by the user: use the other file",
    });
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("one\n");
  });

  test.each([
    ["edited", replace("a.txt", "one", "two")],
    ["rewritten", write("a.txt", "two\n")],
    ["patched", call("apply_patch", { operation: { type: "update_file", path: "a.txt", diff: "@@\n-one\n+two\n" } })],
    ["deleted", call("apply_patch", { operation: { type: "delete_file", path: "a.txt" } })],
    ["renamed", call("apply_patch", { operation: { type: "rename_file", path: "a.txt", newPath: "z.txt" } })],
  ])("a file that changed while the person was asked is not %s", async (_how, edit) => {
    const { root, hands } = await projectFixture(
      { "a.txt": "one\n" },
      {
        rules: askAll,
        ask: async () => {
          writeFileSync(path.join(root, "a.txt"), "one and more\n");
          return { decision: "once" };
        },
      },
    );
    expect(await value(hands, edit)).toMatchObject({ errorMessage: expect.stringContaining("somebody else") });
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("one and more\n");
  });

  test("a yes after the abort writes nothing, and the question knows that it is over", async () => {
    const abort = new AbortController();
    let say: (answer: { decision: "once" }) => void = () => undefined;
    let isOver = false;
    const { root, hands } = await projectFixture(
      { "a.txt": "one\n" },
      {
        rules: askAll,
        ask: ({ signal }) => {
          signal.addEventListener("abort", () => {
            isOver = true;
          });
          queueMicrotask(() => abort.abort());
          return new Promise((resolve) => {
            say = resolve;
          });
        },
      },
    );
    const [result] = await hands.call([replace("a.txt", "one", "two")], { signal: abort.signal });
    say({ decision: "once" });
    expect(JSON.stringify(result?.output)).toMatch(/interrupted/i);
    expect(isOver).toBe(true);
    await hands.end();
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("one\n");
  });

  test("an edit that cannot be made tells nothing of a file outside that nobody allowed to see", async () => {
    const ask = async () => ({ decision: "deny" as const });
    const { around, hands } = await projectFixture({}, { permissions: "ask", ask });
    writeFileSync(path.join(around, "outside.txt"), "the launch code is 1234\n");
    const told = await value(hands, replace("../outside.txt", "the launch code is 0000", "x"));
    expect(JSON.stringify(told)).not.toContain("1234");
    expect(told).toMatchObject({ errorMessage: expect.stringContaining("Denied by the user") });
  });

  test("what was allowed for always holds in the next run when both share it", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return { decision: "always" as const };
    };
    const { workspace } = await projectFixture({ "a.txt": "one\n" });
    const granted = new Set<string>();
    const first = workspace.beginRun({ runId: "1", rules: askAll, ask, granted });
    const second = workspace.beginRun({ runId: "2", rules: askAll, ask, granted });
    await value(first, replace("a.txt", "one", "two"));
    expect(await value(second, replace("a.txt", "two", "three"))).toHaveProperty("message");
    expect(asked).toBe(1);
  });
});

describe("terminal sessions", () => {
  async function withTerminal() {
    const terminal = openTerminal();
    const fixture = await projectFixture({}, { root: terminal.root, terminal, agentMode: true });
    return { ...fixture, root: terminal.root, terminal };
  }

  test("a child has a session of its own that begins where its parent is", async () => {
    const { root, hands } = await withTerminal();
    mkdirSync(path.join(root, "sub"));
    await value(hands, command("cd sub; export MARK=parent"));
    const child = hands.beginAgent({ agentId: "c1", runId: "r1" });
    expect(await value(child, command('pwd; test -z "$MARK" && echo none; cd ..'))).toMatchObject({
      sessionId: "agent:c1",
      stdout: `${root}/sub\nnone\n`,
    });
    const grandchild = child.beginAgent({ agentId: "c2", runId: "r2" });
    expect(await value(grandchild, command("pwd"))).toMatchObject({ sessionId: "agent:c2", stdout: `${root}\n` });
    expect(await value(hands, command("pwd"))).toMatchObject({ sessionId: "main", stdout: `${root}/sub\n` });
    expect(await value(child, command("pwd", { session_id: "main" }))).toMatchObject({ sessionId: "agent:c1" });
  });

  test("what runs in a child's sessions ends with the child, and with its run", async () => {
    const { hands, terminal } = await withTerminal();
    const [own, named, deeper] = [uniqueSeconds(), uniqueSeconds(), uniqueSeconds()];
    const child = hands.beginAgent({ agentId: "c1", runId: "r1" });
    const below = child.beginAgent({ agentId: "c2", runId: "r2" });
    const seconds = { yield_seconds: 0.25 };
    await Promise.all([
      child.call([command(`sleep ${own}`, seconds), command(`sleep ${named}`, { ...seconds, session_id: "server" })]),
      below.call([command(`sleep ${deeper}`, seconds)]),
    ]);
    await until(() => [own, named, deeper].every((one) => processesWith(one).length === 1), "all three run");
    await child.end();
    expect([own, named, deeper].flatMap(processesWith)).toEqual([]);
    expect(terminal.directoryOf("agent:c1")).toBeUndefined();
    const late: ToolCallResult[] = await child.call([command("echo late")]);
    expect(JSON.stringify(late)).toMatch(/interrupted/i);
  });
});
