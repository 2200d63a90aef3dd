import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { adapters } from "@muster/adapters";
import { adapterContract } from "@muster/conformance";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, describe, test } from "vitest";
import { bash } from "./claude-home.ts";
import { installedAgent } from "./installed-agent.ts";

const { claude } = adapters;
if (claude === undefined) throw new Error("There is no adapter for Claude Code");

const program = await installedAgent("claude").catch((error: unknown) => {
  process.stderr.write(`skipped: Claude Code cannot be installed here: ${String(error)}\n`);
  return undefined;
});

const options = [
  { label: "A", description: "the first" },
  { label: "B", description: "the second" },
];
const question = { question: "Which?", header: "Which", multiSelect: false, options };

if (program === undefined) {
  test.skip("the contract of all adapters, because Claude Code cannot be installed here");
} else {
  const home = mkdtempSync(join(tmpdir(), "muster-claude-contract-"));
  process.env.HOME = home;
  process.env.PATH = [dirname(program.path), process.env.PATH].join(delimiter);
  const llm = await startScriptedLlm({
    script: {
      conversations: [
        {
          match: { user: "make a file" },
          each: "prompt",
          turns: [{ tools: [bash("touch file.txt")] }, { text: "So be it." }],
        },
        {
          match: { user: "ask me" },
          each: "prompt",
          turns: [
            { tools: [{ name: "AskUserQuestion", native: true, input: { questions: [question] } }] },
            { text: "Thank you." },
          ],
        },
        {
          match: { user: "talk slowly" },
          each: "prompt",
          turns: [{ text: "word ".repeat(40), pace: { chars: 5, delayMs: 50 }, times: "always" }],
        },
        {
          match: { user: "which word" },
          each: "prompt",
          turns: [{ match: { body: "the word is heron" }, text: "It was heron." }, { text: "I do not know." }],
        },
        { turns: [{ text: "Hello.", times: "always" }] },
      ],
    },
  });
  afterAll(async () => {
    await llm.close();
    rmSync(home, { recursive: true, force: true });
  });

  describe("the real Claude Code", () => {
    adapterContract(claude, {
      prompts: {
        answer: "say hello",
        slow: "talk slowly",
        permission: "make a file",
        question: "ask me",
        recall: { tell: "the word is heron", ask: "which word was it?", contains: "It was heron." },
      },
      open: { baseUrl: llm.url, token: "sk-ant-test-000" },
      exceptions: { "tells when it ended by itself": "no prompt makes it end; the tests of its lives kill it" },
    });
  });
}
