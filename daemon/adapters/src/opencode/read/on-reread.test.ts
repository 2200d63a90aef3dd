import { expect, test } from "vitest";
import type { Signal } from "../../signals.ts";
import { opencodeConverter } from "../converter.ts";
import type { OpencodeState } from "../wire/state.ts";

const converter = opencodeConverter({
  nativeSessionId: "ses_1",
  directory: "/workspace",
  providerID: "mock",
  modelID: "m1",
  permissionMode: "default",
  mcpServers: [],
});
const id = (n: number) => `msg_00000000000${n}AAAA`;
const message = (n: number, fields: object, parts: object[] = []) => ({
  info: { id: id(n), sessionID: "ses_1", role: "assistant", time: { created: n }, ...fields },
  parts: parts.map((part) => ({ sessionID: "ses_1", messageID: id(n), ...part })),
});
const all = (fields: object) => ({
  type: "daemon.reread",
  properties: {
    sessionID: "ses_1",
    status: { type: "idle" },
    children: [],
    messages: [],
    permissions: [],
    questions: [],
    ...fields,
  },
});
const prompt = { command: { type: "message", messageId: "m1", text: "go", attachments: [] } } as const;
const busy = { type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } };

function nativeLine(...inputs: (typeof prompt | object)[]): { signals: Signal[]; state: OpencodeState } {
  let state = converter.initial();
  const signals: Signal[] = [];
  for (const input of inputs) {
    const step = converter.step(state, "command" in input ? (input as typeof prompt) : { native: input as never });
    state = step.state;
    signals.push(...step.bodies);
  }
  return { signals, state };
}

test("what was said in the gap is told, and a turn that ended in it ends", () => {
  const text = { id: "prt_1", type: "text", text: "Hello", time: { start: 1, end: 2 } };
  const { signals } = nativeLine(
    prompt,
    busy,
    all({ messages: [message(1, { role: "user" }), message(2, { time: { created: 2, completed: 3 } }, [text])] }),
  );
  expect(signals.map(({ type }) => type)).toEqual(["item.started", "item.delta", "item.completed", "turn.finished"]);
  expect(signals.at(-1)).toMatchObject({ data: { status: "completed", messageIds: ["m1"] } });
});

test("a turn whose whole run lay in the gap ends too", () => {
  const { signals } = nativeLine(prompt, all({ messages: [message(2, { time: { created: 2, completed: 3 } })] }));
  expect(signals).toMatchObject([{ type: "turn.finished", data: { status: "completed" } }]);
});

test("a failure that was said in the gap is told", () => {
  const error = { name: "APIError", data: { message: "no", statusCode: 401 } };
  const { signals } = nativeLine(
    prompt,
    busy,
    all({ messages: [message(2, { time: { created: 2, completed: 3 }, error })] }),
  );
  expect(signals).toMatchObject([
    { type: "error", data: { code: "auth_failed" } },
    { type: "turn.finished", data: { status: "failed", cause: "auth_failed" } },
  ]);
});

test("a text that goes on keeps what was told and ends whole", () => {
  const begun = {
    type: "message.part.updated",
    properties: {
      part: { id: "prt_1", sessionID: "ses_1", messageID: id(2), type: "text", text: "", time: { start: 1 } },
    },
  };
  const delta = (text: string) => ({
    type: "message.part.delta",
    properties: { sessionID: "ses_1", messageID: id(2), partID: "prt_1", field: "text", delta: text },
  });
  const stored = message(2, {}, [{ id: "prt_1", type: "text", text: "", time: { start: 1 } }]);
  const ended = {
    type: "message.part.updated",
    properties: { part: { ...begun.properties.part, text: "one two three four", time: { start: 1, end: 2 } } },
  };
  const { signals } = nativeLine(
    prompt,
    busy,
    begun,
    delta("one "),
    all({ status: { type: "busy" }, messages: [stored] }),
    delta("three "),
    ended,
  );
  expect(signals.filter(({ type }) => type === "item.completed")).toMatchObject([
    { data: { item: { itemId: "item_1", status: "completed", content: [{ text: "one two three four" }] } } },
  ]);
  const deltas = signals.flatMap((signal) => (signal.type === "item.delta" ? [signal.data.delta] : []));
  expect(deltas.join("")).toBe("one two three four");
});

test("requests that came in the gap are asked, those that are gone are withdrawn, the others stay", () => {
  const asked = (key: string) => ({
    id: key,
    sessionID: "ses_1",
    permission: "bash",
    patterns: ["ls"],
    metadata: { command: "ls" },
  });
  const { signals } = nativeLine(
    prompt,
    busy,
    { type: "permission.asked", properties: asked("per_1") },
    { type: "permission.asked", properties: asked("per_2") },
    all({ status: { type: "busy" }, permissions: [asked("per_2"), asked("per_3")] }),
  );
  const seen = signals.map((signal) => `${signal.type} ${"requestKey" in signal.data ? signal.data.requestKey : ""}`);
  expect(seen).toEqual([
    "permission.asked per_1",
    "permission.asked per_2",
    "permission.asked per_3",
    "request.withdrawn per_1",
  ]);
});

test("messages of earlier turns, and of a session that rests, are not told again", () => {
  const old = message(2, { time: { created: 2, completed: 3 } }, [
    { id: "prt_1", type: "text", text: "Old", time: { start: 1, end: 2 } },
  ]);
  expect(nativeLine(all({ messages: [old] })).signals).toEqual([]);
  const seen = { type: "message.updated", properties: old };
  expect(nativeLine(seen, prompt, busy, all({ status: { type: "busy" }, messages: [old] })).signals).toEqual([]);
});
