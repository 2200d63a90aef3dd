import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { adapters } from "@muster/adapters";
import { adapterContract } from "@muster/conformance";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, describe } from "vitest";
import { installedAgent } from "./installed-agent.ts";

const { opencode } = adapters;
if (opencode === undefined) throw new Error("There is no adapter for OpenCode");

const { path } = await installedAgent("opencode");
const home = mkdtempSync(join(tmpdir(), "muster-opencode-contract-"));
process.env.HOME = home;
process.env.PATH = [dirname(path), process.env.PATH].join(delimiter);
const options = [
  { label: "A", description: "the first" },
  { label: "B", description: "the second" },
];
const question = { question: "Which?", header: "Which", options };
const llm = await startScriptedLlm({
  script: {
    conversations: [
      {
        match: { user: "make a file" },
        each: "prompt",
        turns: [{ tools: [{ name: "run_command", input: { command: "touch file.txt" } }] }, { text: "So be it." }],
      },
      {
        match: { user: "ask me" },
        each: "prompt",
        turns: [{ tools: [{ name: "ask_question", input: { questions: [question] } }] }, { text: "Thank you." }],
      },
      {
        match: { user: "talk slowly" },
        each: "prompt",
        turns: [{ text: "word ".repeat(60), pace: { chars: 5, delayMs: 50 }, times: "always" }],
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

describe("the real OpenCode", () => {
  adapterContract(opencode, {
    prompts: {
      answer: "say hello",
      slow: "talk slowly",
      permission: "make a file",
      question: "ask me",
      recall: { tell: "the word is heron", ask: "which word was it?", contains: "It was heron." },
    },
    open: { model: "scripted/m1", baseUrl: llm.url, token: "sk-fake-000" },
    exceptions: { "tells when it ended by itself": "no prompt makes it end; the tests of its lives kill it" },
  });
});
