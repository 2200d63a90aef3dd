import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { historyFaults } from "@muster/codebuff-protocol";
import { expect, it } from "vitest";
import { call, resultOf, runWorld } from "./run-world.ts";

it("an own key is enough: reads, edits, commands, and the same events as with a server", async () => {
  const world = await runWorld(
    [
      {
        reasoning: "hmm",
        text: "Let me read.",
        tools: [
          call("read_files", { paths: ["a.txt"] }),
          call("run_terminal_command", { command: "echo out; echo err >&2; exit 3" }),
        ],
      },
      {
        text: "Editing",
        tools: [
          call("str_replace", { path: "a.txt", replacements: [{ old: "alpha", new: "ALPHA" }] }),
          call("write_file", { path: "b.txt", instructions: "new", content: "fresh\n" }),
        ],
      },
      { text: "Done." },
    ],
    { files: { "a.txt": "alpha\nbeta\n" } },
  );
  const { output, sessionState } = await world.run();
  expect(world.llm.failures()).toEqual([]);
  expect(output).toMatchObject({
    type: "lastMessage",
    value: [{ role: "assistant", content: [{ type: "text", text: "Done." }] }],
  });
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("ALPHA\nbeta\n");
  expect(await readFile(join(world.cwd, "b.txt"), "utf8")).toBe("fresh\n");
  expect(resultOf(world.events, "run_terminal_command")).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining("out"),
  });
  expect(world.events.map(({ type }) => type).filter((type) => type !== "tool_progress")).toEqual([
    "start",
    ...(world.events.some(({ type }) => type === "reasoning_delta") ? ["reasoning_delta"] : []),
    "text",
    "tool_call",
    "tool_call",
    "tool_result",
    "tool_result",
    "text",
    "tool_call",
    "tool_call",
    "tool_result",
    "tool_result",
    "text",
    "finish",
  ]);
  expect(world.events[0]).toMatchObject({
    type: "start",
    agentId: "tester",
    model: "anthropic/claude-haiku-4.5",
    messageHistoryLength: 0,
  });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "completed", totalCostUsd: expect.any(Number) });
  expect(world.chunks.filter((chunk) => typeof chunk === "string").join("")).toBe("Let me read.EditingDone.");
  expect(historyFaults(sessionState?.mainAgentState.messageHistory ?? [])).toEqual([]);
});

it("a conversation goes on from the previous run, also after a trip through JSON", async () => {
  const world = await runWorld([{ text: "One." }, { expect: { user: "second" }, text: "Two." }]);
  const first = await world.run({ prompt: "first" });
  const copy = JSON.parse(JSON.stringify(first)) as typeof first;
  const second = await world.run({ prompt: "second", previousRun: copy });
  expect(second.output.type).toBe("lastMessage");
  expect(second.sessionState?.sessionId).toBe(first.sessionState?.sessionId);
  expect(copy).toEqual(JSON.parse(JSON.stringify(first)));
  const body = JSON.stringify(world.llm.requests().at(-1)?.body);
  expect(body).toContain("first");
  expect(body).toContain("One.");
  expect(world.events.filter(({ type }) => type === "start").map((event) => event.messageHistoryLength)).toEqual([
    0,
    expect.any(Number),
  ]);
});

it("client.stream() gives numbered deltas, ends after finish and returns the run", async () => {
  const world = await runWorld([{ text: ["Hel", "lo"] }]);
  const stream = world.client.stream({ agent: "tester", prompt: "hi" });
  const seen = [];
  let step = await stream.next();
  for (; step.done !== true; step = await stream.next()) seen.push(step.value);
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(
    seen
      .filter(({ type }) => type === "text")
      .map((event) => event.text)
      .join(""),
  ).toBe("Hello");
  expect([seen[0]?.type, seen.at(-1)?.type]).toEqual(["start", "finish"]);
  expect(new Set(seen.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(step.value.output.type).toBe("lastMessage");
});

it("without any key the run says what is missing and emits no start", async () => {
  const world = await runWorld([{ text: "never" }], { env: { ANTHROPIC_API_KEY: "" } });
  const { output } = await world.run();
  expect(output).toMatchObject({ type: "error", error: "no_credentials" });
  expect(world.events.map(({ type }) => type)).toEqual(["error"]);
});

it("options that can never work are refused at once", async () => {
  const world = await runWorld([{ text: "never" }]);
  await expect(world.run({ cwd: join(world.cwd, "nowhere") })).rejects.toMatchObject({ code: "bad_cwd" });
  await expect(world.run({ prompt: 42 as never })).rejects.toMatchObject({ code: "bad_prompt" });
  await expect(world.run({ sessionId: "../x" })).rejects.toMatchObject({ code: "bad_session_id" });
  await expect(world.run({ previousRun: { sessionState: 3 } as never })).rejects.toMatchObject({
    code: "bad_previous_run",
  });
  await expect(
    world.run({ agentDefinitions: [{ id: "Bad Id", displayName: "x", model: "a/b" }] }),
  ).rejects.toMatchObject({ code: "bad_agent" });
});
