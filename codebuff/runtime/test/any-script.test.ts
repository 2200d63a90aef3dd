import type { Message, ToolOutput } from "@muster/codebuff-protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agent, json, openWorld, runFaults, runPrompt, session } from "./memory-ports.ts";
import { providerRefusals } from "./provider-rules.ts";
import { helper } from "./recorded-scenarios.ts";
import { type Act, finished } from "./scripted-model.ts";

const word = fc.constantFrom("a", " ", "\n", "text", "<think>", "</think>", "<PLAN>", "é", "{CODEBUFF_USER_CWD}");
const call = (id: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName: "read_files", input: {} }],
});
const result = (id: string): Message => ({ role: "tool", toolCallId: id, toolName: "read_files", content: json("x") });
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom("1", "2", "3").chain((id) => fc.constantFrom(call(id), result(id))),
  word.map((text): Message => ({ role: "assistant", content: [{ type: "text", text: `said ${text}` }] })),
  word.map((text): Message => ({ role: "user", content: [{ type: "text", text: `asked ${text}` }] })),
);

const toolAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    tool: fc.constantFrom(
      "read_files",
      "write_file",
      "fly",
      "think_deeply",
      "end_turn",
      "task_completed",
      "helper",
      "set_output",
    ),
    args: fc.oneof(
      fc.constantFrom<unknown>(
        { paths: ["a"] },
        { thought: "hm" },
        { prompt: "go" },
        {},
        '{"paths":["a",]}',
        "{",
        "[]",
        '"x"',
        "",
      ),
      fc.json(),
    ),
  }),
  fc.array(anyMessage, { maxLength: 6 }).map((messages): Act => ({ tool: "set_messages", args: { messages } })),
  fc
    .record({ role: fc.constantFrom("user", "assistant"), content: word })
    .map((args): Act => ({ tool: "add_message", args })),
  fc
    .array(fc.constantFrom("helper", "ghost"), { maxLength: 3 })
    .map((types): Act => ({ tool: "spawn_agents", args: { agents: types.map((agent_type) => ({ agent_type })) } })),
  fc.constant<Act>({ tool: "spawn_agent_inline", args: { agent_type: "context-pruner", params: { force: true } } }),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { maxLength: 3 }).map((text): Act => ({ text })) },
  { weight: 4, arbitrary: toolAct },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 2 }).map((reasoning): Act => ({ reasoning })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>({ wait: 1_000 }, { wait: 70_000 }, { cut: true }, { throws: new Error("gone") }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Act>(finished({ reason: "length" }), { type: "error", message: "no" }) },
);
const script = fc.array(fc.array(act, { maxLength: 5 }), { minLength: 1, maxLength: 6 });
const outputs: fc.Arbitrary<ToolOutput | "throws"> = fc.constantFrom(
  json("ok"),
  [],
  [{ type: "media" as const, data: "aGk=", mediaType: "image/png" }],
  "throws" as const,
);

test("whatever the script says, the history that goes to the model is one the provider accepts", async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      fc.array(anyMessage, { maxLength: 6 }),
      outputs,
      fc.option(fc.integer({ min: 0, max: 90_000 })),
      async (answers, before, output, abortAt) => {
        const read = () => {
          if (output === "throws") throw new Error("boom");
          return output;
        };
        const world = openWorld({
          script: answers,
          agents: [
            agent({
              toolNames: [
                ...["read_files", "write_file", "think_deeply", "end_turn", "set_messages", "add_message"],
                ...["spawn_agents", "spawn_agent_inline", "set_output"],
              ],
              spawnableAgents: ["helper"],
            }),
            helper("helper", { includeMessageHistory: true, toolNames: ["read_files"] }),
          ],
          tools: { read_files: read, write_file: read },
        });
        const abort = new AbortController();
        if (abortAt !== null) world.clock.after(abortAt, () => abort.abort());
        const sessionState = session(before);
        const run = await runPrompt(world, { sessionState, limits: { maxSteps: 8, maxTotalSteps: 30 } }, abort.signal);
        for (const { messages } of world.model.requests) expect(providerRefusals(messages)).toEqual([]);
        expect(JSON.stringify(run.events)).not.toContain("history_invalid");
        expect(runFaults(run, world).filter((fault) => fault !== "a timer is left" || abortAt === null)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
