import { agentNames } from "@muster/schema";
import { expect, it } from "vitest";
import { adapters } from "../src/index.ts";

it("the names that complete in an editor are those of the adapters", () => {
  expect([...agentNames].sort()).toEqual(Object.keys(adapters).sort());
});
