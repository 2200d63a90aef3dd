import { expect, test } from "vitest";
import { modes, rootAgentId } from "./modes.ts";

test.each([
  [{ costMode: "free" }, "base-free"],
  [{ costMode: "normal" }, "base"],
  [{ costMode: "max" }, "base-max"],
  [{ costMode: "ask" }, "ask"],
  [{ costMode: "experimental" }, "base2"],
  [{ costMode: "something-else" }, "base2"],
  [{}, "base2"],
  [{ costMode: "max", agent: "my-agent" }, "my-agent"],
])("%j starts %s", (choice, agent) => {
  expect(rootAgentId(choice)).toBe(agent);
});

test("of the four modes only PLAN denies writes", () => {
  expect(Object.entries(modes).map(([name, mode]) => [name, rootAgentId(mode), mode.writes])).toEqual([
    ["DEFAULT", "base2", "allowed"],
    ["FREE", "base-free", "allowed"],
    ["MAX", "base-max", "allowed"],
    ["PLAN", "base2-plan", "denied"],
  ]);
});
