import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CodebuffClient, runTerminalCommand } from "../src/index.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

it("a conversation goes on in another process: history, subgoals, and a terminal in the directory where it was left", async () => {
  const world = await runWorld([
    { tools: [call("run_terminal_command", { command: "cd inner && pwd" })] },
    { text: "There." },
    {
      expect: { user: "where now" },
      tools: [call("run_terminal_command", { command: "pwd" }), call("run_terminal_command", { command: "pwd" })],
    },
    { text: "Still there." },
  ]);
  await mkdir(join(world.cwd, "inner"));
  const store = world.client.sessions();
  const session = await store.begin({ id: "s_1", mode: "DEFAULT" });
  await world.run({ prompt: "go inside", session });
  await session.close();
  await world.client.close();

  // A client that knows nothing but the file.
  const later = new CodebuffClient(world.client.options);
  const again = await later.sessions().continue("s_1");
  expect([again.mode, again.interrupted]).toEqual(["DEFAULT", false]);
  world.events.length = 0;
  const { sessionState } = await later.run({ agent: "tester", prompt: "where now", session: again });
  await again.close();
  await later.close();
  expect(world.llm.failures()).toEqual([]);
  expect(sessionState?.sessionId).toBe("s_1");
  expect(resultOf(world.events, "run_terminal_command", 0)).toMatchObject({
    stdout: expect.stringContaining("/proj/inner"),
  });
  expect(resultOf(world.events, "run_terminal_command", 1)).toMatchObject({
    stdout: expect.stringContaining("/proj/inner"),
  });
  const notes = world.events
    .filter((event) => event.type === "tool_result")
    .map((event) => JSON.stringify(event).includes("new terminal"));
  expect(notes).toEqual([true, false]);
  const restored = await store.restore("s_1");
  expect(restored.messages).toEqual(sessionState?.mainAgentState.messageHistory);
});

it("runTerminalCommand is the tool without a run", async () => {
  const [part] = await runTerminalCommand({
    command: "echo hi",
    process_type: "SYNC",
    cwd: process.cwd(),
    timeout_seconds: 20,
  });
  expect(part).toMatchObject({ type: "json", value: { exitCode: 0, stdout: expect.stringContaining("hi") } });
});
