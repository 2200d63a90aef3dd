import { adapterContract } from "@muster/conformance";
import { describe, expect, test } from "vitest";
import { agents, discoveryHost, findSecrets, listCredentials } from "../src/index.ts";
import { adaptersOf } from "../src/install/define-agent.ts";
import { tiny } from "./tiny-agent/index.ts";

/** One folder, and this line. */
const withTiny = { ...agents, tiny };

describe("an agent that is added with a folder and a line", () => {
  adapterContract(tiny, {
    prompts: { answer: "hello", crash: "crash" },
    exceptions: {
      "stops at an interrupt": "it answers at once",
      "asks for permission and obeys the answer": "it has no tools",
      "asks questions and hears the answer": "it has none",
      "takes a steering message into its turn": "it answers at once",
      "remembers the conversation in its next life": "it remembers nothing",
    },
  });

  test("is one of those that can be driven", () => {
    expect(adaptersOf(withTiny).tiny).toBe(tiny);
    expect(Object.keys(adaptersOf(withTiny)).sort()).toEqual([
      "amp",
      "claude",
      "codebuff",
      "codex",
      "mock",
      "opencode",
      "tiny",
    ]);
  });

  test("its keys are found, listed without the secret, and kept out of diagnostics", async () => {
    const machine = discoveryHost({ env: { TINY_API_KEY: "tiny-secret" }, home: "/nowhere" });
    const listed = await listCredentials(withTiny, machine);
    expect(listed).toContainEqual({
      agent: "tiny",
      provider: "tiny",
      found: true,
      source: "environment TINY_API_KEY",
      kind: "api_key",
    });
    expect(await findSecrets(withTiny, machine)).toEqual(["tiny-secret"]);
  });

  test("without credentials it does not compile", () => {
    const { credentials: _, ...incomplete } = tiny;
    // @ts-expect-error An agent without credentials is no agent.
    const table: typeof agents = { incomplete };
    expect(table.incomplete?.credentials).toBeUndefined();
  });
});
