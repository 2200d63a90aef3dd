import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupSync } from "@muster/log";
import { type Body, type Cause, defaultLimits } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EventLog } from "../../event-log/index.ts";
import { emptyFold } from "../../fold.ts";
import { Journal } from "../state/journal.ts";
import { OpenItems } from "./open-items.ts";
import { Requests } from "./requests.ts";
import { Turns } from "./turns.ts";

let directory: string;
let journal: Journal;
let turns: Turns;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "muster-turns-"));
  const log = await EventLog.open({ directory, sessionId: "s", durability: "batch", groupSync: new GroupSync() });
  journal = new Journal(log, emptyFold("2026-01-01T00:00:00.000Z"));
  const items = new OpenItems(journal);
  const settings = { limits: { ...defaultLimits }, permissionMode: () => "default" as const };
  const requests = new Requests(journal, { tell: () => {} }, settings);
  turns = new Turns(journal, items, requests);
});
afterEach(async () => {
  await journal.log.close();
  await rm(directory, { recursive: true, force: true });
});

async function endOfTurn(): Promise<Body<"turn.ended">["data"] | undefined> {
  await journal.sync();
  for await (const event of journal.log.events(0)) if (event.type === "turn.ended") return event.data;
  return undefined;
}

it.each<[Cause, "failed" | "interrupted"]>([
  ["agent_timeout", "failed"],
  ["budget_exceeded", "failed"],
  ["interrupted_by_user", "interrupted"],
  ["terminated", "interrupted"],
])("a turn that we stopped ends with our cause %s, whatever the agent calls its end", async (cause, status) => {
  turns.begin("user", ["m1"]);
  turns.setStopCause(cause);
  turns.finish({ status: "completed" });
  expect(await endOfTurn()).toMatchObject({ status, cause });
});

it("a harder stop has the last word", async () => {
  turns.begin("user", ["m1"]);
  turns.setStopCause("interrupted_by_user");
  turns.setStopCause("agent_unresponsive");
  turns.end({ status: "interrupted" });
  expect(await endOfTurn()).toMatchObject({ status: "interrupted", cause: "agent_unresponsive" });
});

it("the end of a turn that names other messages does not end the open one", async () => {
  turns.begin("user", ["m1"]);
  turns.finish({ status: "completed", messageIds: ["m0"] });
  expect(journal.state.turn?.turnId).toBe("turn_1");
  turns.finish({ status: "completed", messageIds: ["m1"] });
  expect(await endOfTurn()).toMatchObject({ turnId: "turn_1", status: "completed" });
});
