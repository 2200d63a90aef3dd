import { isLong } from "@muster/chaos";
import { afterAll, expect, test } from "vitest";
import { discard, makePlanProject } from "./plan-project.ts";
import { wovenCommands } from "./woven-commands.ts";
import { secondWriting } from "./writing-commands.ts";
import { writingTests } from "./writing-suite.ts";

const project = makePlanProject();
afterAll(() => discard(project.around));

const known = new Set(secondWriting(project.root));
const all = wovenCommands.filter((command) => !known.has(command));

test("there are at least 750 commands that are in no other table", () => {
  expect(new Set(all).size).toBeGreaterThanOrEqual(750);
});

writingTests({
  fault: "woven commands",
  project,
  all,
  // A number that shares no factor with that of the writers: each way and each writer is met.
  tried: all.filter((_, index) => isLong || index % 32 === 0),
});
