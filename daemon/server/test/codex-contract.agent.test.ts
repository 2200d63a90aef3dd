import { delimiter, dirname } from "node:path";
import { adapters } from "@muster/adapters";
import { adapterContract } from "@muster/conformance";
import { startScriptedLlm } from "@muster/scripted-llm";
import { afterAll } from "vitest";
import { fakeKey, run } from "./codex-home.ts";
import { installedAgent } from "./installed-agent.ts";

const { codex } = adapters;
if (codex === undefined) throw new Error("There is no Codex adapter");

const question = { question: "Which?", header: "Which", options: [{ label: "This", description: "The first" }] };

const llm = await startScriptedLlm({
  script: {
    conversations: [
      {
        match: { user: "make a file" },
        each: "prompt",
        turns: [{ tools: [run("touch file.txt")] }, { text: "So be it." }],
      },
      {
        match: { user: "ask me" },
        each: "prompt",
        turns: [{ tools: [{ name: "ask_question", input: { questions: [question] } }] }, { text: "Thank you." }],
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
afterAll(() => llm.close());

// The contract's host finds agents on PATH.
const { path } = await installedAgent("codex");
process.env.PATH = `${dirname(path)}${delimiter}${process.env.PATH ?? ""}`;

adapterContract(codex, {
  prompts: {
    answer: "say hello",
    slow: "talk slowly",
    permission: "make a file",
    question: "ask me",
    recall: { tell: "the word is heron", ask: "which word was it?", contains: "It was heron." },
  },
  open: { model: "gpt-5.5", baseUrl: llm.url, token: fakeKey },
  exceptions: {
    "tells when it ended by itself": "no prompt ends the app-server; codex-lives kills it",
  },
});
