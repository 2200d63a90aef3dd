import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import { snapshotOf } from "../../test/snapshot-of.ts";
import { opencodeConverter } from "./converter.ts";
import type { Settings } from "./wire/settings.ts";
import type { OpencodeState } from "./wire/state.ts";

const settings: Settings = {
  nativeSessionId: "ses_1",
  directory: "/workspace",
  providerID: "mock",
  modelID: "m1",
  permissionMode: "default",
  mcpServers: ["tracker"],
};
const converter = opencodeConverter(settings);

const step = (state: OpencodeState, native: unknown) => converter.step(state, { native: native as never });

/** The state after these events; what was said on the way is not looked at. */
function after(...events: unknown[]): OpencodeState {
  return events.reduce<OpencodeState>((state, event) => step(state, event).state, converter.initial());
}

const part = (fields: object) => ({
  type: "message.part.updated",
  properties: { part: { messageID: "msg_1", sessionID: "ses_1", ...fields } },
});
const delta = (text: string) => ({
  type: "message.part.delta",
  properties: { sessionID: "ses_1", messageID: "msg_1", partID: "prt_1", field: "text", delta: text },
});
const begun = part({ id: "prt_1", type: "text", text: "", time: { start: 1 } });

describe("the converter", () => {
  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(json, (native) => {
        expect(step(converter.initial(), native).bodies).toMatchObject([{ type: "agent.unparsed" }]);
      }),
    );
  });

  test("leaves the state it was given as it was", () => {
    const before = after(begun);
    const snapshot = snapshotOf(before);
    step(before, delta("x"));
    step(before, part({ id: "prt_1", type: "text", text: "x", time: { start: 1, end: 2 } }));
    expect(snapshotOf(before)).toEqual(snapshot);
  });

  test("says what it did not understand", () => {
    const errors = [42, { type: "riddle", properties: {} }, { type: "session.idle", properties: {} }]
      .flatMap((native) => step(converter.initial(), native).bodies)
      .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type));
    expect(errors).toEqual([
      "The line is no event",
      "Unknown event: riddle",
      "session.idle properties.sessionID: Invalid input: expected string, received undefined",
    ]);
  });

  test("a text whose end was trimmed stays as it was told", () => {
    const { bodies } = step(
      after(begun, delta("done \n")),
      part({ id: "prt_1", type: "text", text: "done", time: { start: 1, end: 2 } }),
    );
    expect(bodies).toMatchObject([{ type: "item.completed", data: { item: { content: [{ text: "done \n" }] } } }]);
  });

  test("a text that lost its middle is told whole as another item", () => {
    const { bodies } = step(
      after(begun, delta("one three")),
      part({ id: "prt_1", type: "text", text: "one two three", time: { start: 1, end: 2 } }),
    );
    expect(bodies).toMatchObject([
      { type: "item.completed", data: { item: { itemId: "item_1", status: "cancelled", supersededBy: "item_2" } } },
      { type: "item.started", data: { item: { itemId: "item_2" } } },
      { type: "item.completed", data: { item: { itemId: "item_2", content: [{ text: "one two three" }] } } },
    ]);
  });

  test("a part of the user is not taken for the assistant's, known or not", () => {
    expect(step(converter.initial(), part({ id: "prt_1", type: "text", text: "my prompt" })).bodies).toEqual([]);
  });
});

describe("permissions", () => {
  const asked = (permission: string, metadata: object, patterns = ["*"]) => ({
    type: "permission.asked",
    properties: { id: "per_1", sessionID: "ses_1", permission, patterns, metadata, always: [] },
  });
  const inMode = (permissionMode: Settings["permissionMode"], event: object) => {
    const other = opencodeConverter({ ...settings, permissionMode });
    return other.step(other.initial(), { native: event as never });
  };

  test("always is for exactly the command, the file, the tool", () => {
    const scopes = [
      asked("bash", { command: "npm test && ls" }, ["npm test", "ls"]),
      asked("edit", { filepath: "/workspace/a.txt", diff: "" }, ["a.txt"]),
      asked("tracker_create", {}),
      asked("external_directory", { filepath: "/etc/hosts", parentDir: "/etc" }, ["/etc/*"]),
      asked("doom_loop", {}, ["bash"]),
    ].map((event) =>
      inMode("default", event).bodies.map((body) => body.type === "permission.asked" && body.data.alwaysScope),
    );
    expect(scopes).toEqual([
      [[{ action: "execute", pattern: "npm test && ls" }]],
      [[{ action: "edit", pattern: "a.txt" }]],
      [[{ action: "mcp", pattern: "tracker_create" }]],
      [[{ action: "other", pattern: "external_directory /etc/*" }]],
      [[]],
    ]);
  });

  test("acceptEdits lets edits inside the directory pass and asks for the rest", () => {
    const inside = inMode("acceptEdits", asked("edit", { filepath: "/workspace/a.txt" }, ["a.txt"]));
    expect(inside.bodies).toEqual([]);
    expect(inside.replies).toMatchObject([{ path: "/permission/per_1/reply", body: { reply: "once" } }]);
    for (const event of [asked("edit", { filepath: "/workspace2/a.txt" }), asked("bash", { command: "ls" })]) {
      expect(inMode("acceptEdits", event)).toMatchObject({ bodies: [{ type: "permission.asked" }], replies: [] });
    }
  });

  test("plan rejects whatever could change something, with words, and asks for looking", () => {
    for (const event of [
      asked("edit", { filepath: "/workspace/a.txt" }),
      asked("bash", { command: "ls" }),
      asked("tracker_list", {}),
    ]) {
      expect(inMode("plan", event)).toMatchObject({
        bodies: [{ type: "permission.decided", data: { decision: "reject" } }],
        replies: [{ body: { reply: "reject", message: expect.stringContaining("plan mode") } }],
      });
    }
    expect(inMode("plan", asked("read", {}, [".env"])).bodies).toMatchObject([{ type: "permission.asked" }]);
  });

  test("a rejection always has words, because without them OpenCode ends the turn", () => {
    const command = { type: "permission", requestKey: "per_1", decision: "reject" } as const;
    const { replies } = converter.step(converter.initial(), { command });
    expect(replies).toMatchObject([{ body: { reply: "reject", message: expect.stringMatching(/\w/) } }]);
  });

  test("a request that somebody else answered is withdrawn, one that we answered is not", () => {
    const replied = {
      type: "permission.replied",
      properties: { sessionID: "ses_1", requestID: "per_1", reply: "reject" },
    };
    const waiting = after(asked("bash", { command: "ls" }));
    expect(step(waiting, replied).bodies).toEqual([{ type: "request.withdrawn", data: { requestKey: "per_1" } }]);
    const answered = converter.step(waiting, {
      command: { type: "permission", requestKey: "per_1", decision: "allow" },
    });
    expect(step(answered.state, replied).bodies).toEqual([]);
  });
});
