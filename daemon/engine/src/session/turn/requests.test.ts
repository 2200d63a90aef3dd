import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@muster/adapters";
import { GroupSync } from "@muster/log";
import { defaultLimits } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EventLog } from "../../event-log/index.ts";
import { emptyFold } from "../../fold.ts";
import { Journal } from "../state/journal.ts";
import { Requests } from "./requests.ts";

let directory: string;
let journal: Journal;
let told: Command[];
let requests: Requests;
const groupSync = new GroupSync();

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "muster-requests-"));
  const log = await EventLog.open({ directory, sessionId: "s", durability: "batch", groupSync });
  journal = new Journal(log, emptyFold("2026-01-01T00:00:00.000Z"));
  told = [];
  const settings = { limits: { ...defaultLimits }, permissionMode: () => "default" as const };
  requests = new Requests(journal, { tell: (command) => void told.push(command) }, settings);
});
afterEach(async () => {
  await journal.log.close();
  await rm(directory, { recursive: true, force: true });
});

const ask = (requestKey: string, itemId: string) =>
  requests.askPermission({
    requestKey,
    action: "execute",
    title: "ls",
    itemId,
    alwaysScope: [{ action: "execute", pattern: "ls" }],
  });

it("ends a request with its item and tells the agent no", () => {
  ask("native-1", "item_1");
  ask("native-2", "item_2");
  requests.cancelForItem("item_1");
  expect(requests.pending().permissions.map(({ permissionId }) => permissionId)).toEqual(["permission_2"]);
  expect(told).toMatchObject([{ type: "permission", requestKey: "native-1", decision: "reject" }]);
});

it("tells an answered request from one that never was", async () => {
  ask("native-1", "item_1");
  await requests.replyPermission("permission_1", { reply: "once" });
  await expect(requests.replyPermission("permission_1", { reply: "once" })).rejects.toThrow("has been resolved");
  await expect(requests.replyPermission("permission_2", { reply: "once" })).rejects.toThrow("There is no permission");
  await expect(requests.replyQuestion("constructor", { answers: [] })).rejects.toThrow("There is no question");
});

it("asks once after an always answer, and again after any other", async () => {
  ask("native-1", "item_1");
  await requests.replyPermission("permission_1", { reply: "once" });
  ask("native-2", "item_2");
  await requests.replyPermission("permission_2", { reply: "always" });
  ask("native-3", "item_3");
  expect(requests.isWaiting("permission_3")).toBe(false);
  expect(told.map((command) => "requestKey" in command && command.requestKey)).toEqual([
    "native-1",
    "native-2",
    "native-3",
  ]);
});
