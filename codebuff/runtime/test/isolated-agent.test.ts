import { AgentDefinition } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { type FoundAgent, startIsolatedSteps } from "../src/index.ts";
import { agent, json, openWorld, runFaults, runPrompt, type WorldOptions } from "./memory-ports.ts";

const source = `function* ({ prompt, params }) {
  const { toolResult } = yield { toolName: "read_files", input: { paths: [prompt] } };
  const { stepsComplete } = yield "STEP";
  yield { toolName: "set_output", input: { read: toolResult[0].value, stepsComplete } };
}`;

/** As a store would hand it over: the steps as text, run in an isolate. */
function fromStore(text: string): FoundAgent {
  const definition = AgentDefinition.parse({
    ...agent({ toolNames: ["read_files", "set_output"], outputMode: "structured_output" }),
    handleSteps: text,
  });
  return { definition, origin: "store", startSteps: (start) => startIsolatedSteps(text, start) };
}

/** A thread takes real time: nothing here sleeps, so the virtual clock may stand still. */
function openRealTime(options: WorldOptions) {
  const world = openWorld(options);
  Object.assign(world.clock, { run: <Value>(work: Promise<Value>) => work });
  return world;
}

test("an agent of a store takes its steps in an isolate, with the results of a local one", async () => {
  const local = openWorld({
    script: [[{ text: ["Read."] }]],
    agents: [
      agent({
        toolNames: ["read_files", "set_output"],
        outputMode: "structured_output",
        *handleSteps({ prompt = "" }) {
          const { toolResult } = yield { toolName: "read_files", input: { paths: [prompt] } };
          const { stepsComplete } = yield "STEP";
          const [part] = toolResult ?? [];
          const read = part?.type === "json" ? part.value : null;
          yield { toolName: "set_output", input: { read, stepsComplete } };
        },
      }),
    ],
    tools: { read_files: () => json("text") },
  });
  const isolated = openRealTime({
    script: [[{ text: ["Read."] }]],
    agents: [fromStore(source)],
    tools: { read_files: () => json("text") },
  });
  const [one, other] = [await runPrompt(local), await runPrompt(isolated)];
  expect(runFaults(other, isolated)).toEqual([]);
  expect(other.last).toMatchObject({
    output: { type: "structuredOutput", value: { read: "text", stepsComplete: true } },
  });
  expect(other.events).toEqual(one.events);
});

test("steps that never end, end the run with an error", async () => {
  const world = openRealTime({ script: [], agents: [fromStore("function* () { for (;;) {} }")] });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(JSON.stringify(result.last)).toContain("longer than 2000 ms");
});

test("an agent of a store may only call the tools it names", async () => {
  const text = `function* () { yield { toolName: "run_terminal_command", input: { command: "id" } }; }`;
  let ran = 0;
  const world = openRealTime({
    script: [[{ text: ["x"] }]],
    agents: [fromStore(text)],
    tools: { run_terminal_command: () => json({ ran: ++ran }) },
  });
  await runPrompt(world);
  expect(ran).toBe(0);
});
