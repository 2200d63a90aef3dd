import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { adapters } from "@muster/adapters";
import { type AdapterContractOptions, adapterContract } from "@muster/conformance";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { afterAll, describe } from "vitest";
import { type TestedAgent, testsOf } from "./installed-agent.ts";

interface Script extends Pick<AdapterContractOptions, "exceptions"> {
  /** What this agent asks for beside its prompts, answered first. */
  script: ScriptInput;
  prompts: Partial<AdapterContractOptions["prompts"]>;
}

const options = [
  { label: "A", description: "the first" },
  { label: "B", description: "the second" },
];
const questions = [{ question: "Which?", header: "Which", options, multiSelect: false }];

/** The contract of all adapters with a real agent and a scripted model, to be called at the top of a test file. */
export async function realAgentContract(
  agent: TestedAgent,
  open: Record<string, unknown>,
  { script, prompts, exceptions }: Partial<Script> = {},
) {
  const adapter = adapters[agent];
  if (adapter === undefined) throw new Error(`There is no adapter for ${agent}`);
  const { program, test } = await testsOf(agent);
  if (program === undefined) return test(`the contract of all adapters, because ${agent} cannot be installed here`);
  // The contract's host finds agents on PATH.
  const home = mkdtempSync(join(tmpdir(), `muster-${agent}-contract-`));
  process.env.HOME = home;
  process.env.PATH = [dirname(program.path), process.env.PATH].join(delimiter);
  const llm = await startScriptedLlm({
    script: { routes: script?.routes, conversations: [...(script?.conversations ?? []), ...conversations] },
  });
  afterAll(async () => {
    await llm.close();
    rmSync(home, { recursive: true, force: true });
  });
  describe(`the real ${adapter.name}`, () => {
    adapterContract(adapter, {
      prompts: {
        answer: "say hello",
        slow: "talk slowly",
        permission: "make a file",
        question: "ask me",
        recall: { tell: "the word is heron", ask: "which word was it?", contains: "It was heron." },
        ...prompts,
      },
      open: { baseUrl: llm.url, ...open },
      exceptions: {
        ...exceptions,
        "tells when it ended by itself": "no prompt makes it end; the tests of its lives kill it",
      },
    });
  });
}

const conversations = [
  {
    match: { user: "make a file" },
    each: "prompt" as const,
    turns: [{ tools: [{ name: "run_command", input: { command: "touch file.txt" } }] }, { text: "So be it." }],
  },
  {
    match: { user: "ask me" },
    each: "prompt" as const,
    turns: [{ tools: [{ name: "ask_question", input: { questions } }] }, { text: "Thank you." }],
  },
  {
    match: { user: "talk slowly" },
    each: "prompt" as const,
    turns: [{ text: "word ".repeat(60), pace: { chars: 5, delayMs: 50 }, times: "always" as const }],
  },
  {
    match: { user: "which word" },
    each: "prompt" as const,
    turns: [{ match: { body: "the word is heron" }, text: "It was heron." }, { text: "I do not know." }],
  },
  { turns: [{ text: "Hello.", times: "always" as const }] },
];
