import { adapters } from "@muster/adapters";
import { describe } from "vitest";
import { adapterContract } from "../src/index.ts";

const { mock } = adapters;
if (mock === undefined) throw new Error("There is no mock adapter");

const prompts = {
  answer: "echo hello",
  slow: "slow 30000",
  permission: "permission ls",
  question: "question",
  crash: "crash 4",
  recall: { tell: "echo swordfish", ask: "history", contains: "swordfish" },
};

adapterContract(mock, { prompts });

describe("as one of many on a shared process", () => {
  adapterContract(mock, { prompts, open: { agentOptions: { shared: true } } });
});
