import { expect, test } from "vitest";
import { Conversion } from "../../converter/conversion.ts";
import { codexConverter } from "../converter.ts";

const opened = { id: 1, result: { thread: { id: "thread", cliVersion: "0.166.0" }, model: "m", cwd: "/w" } };
const began = { method: "turn/started", params: { threadId: "thread", turn: { id: "turn", status: "inProgress" } } };

function after(method: string, params: object) {
  const conversion = new Conversion(codexConverter({ permissionMode: "default" }));
  for (const line of [opened, began]) conversion.line(JSON.stringify(line), []);
  return conversion.line(JSON.stringify({ method, params: { threadId: "thread", ...params } }), []);
}

test.each([
  [
    "hook/completed",
    { run: { eventName: "stop", status: "blocked", statusMessage: "not yet" } },
    "hook ended",
    "stop blocked: not yet",
  ],
  [
    "item/autoApprovalReview/completed",
    { review: { status: "denied", rationale: "too far" } },
    "approval_review",
    "denied: too far",
  ],
  [
    "modelProvider/authRecoveryStarted",
    { provider: "p", message: "logging in again" },
    "auth_recovery",
    "logging in again",
  ],
  ["configWarning", { summary: "an odd key", details: "in line 3" }, "warning", "an odd key: in line 3"],
  ["deprecationNotice", { summary: "soon gone", details: null }, "warning", "soon gone"],
  [
    "mcpServer/oauthLogin/completed",
    { name: "demo", success: false, error: "refused" },
    "mcp_server_failed",
    "demo: refused",
  ],
  [
    "error",
    { willRetry: true, error: { message: "Reconnecting... 1/4", additionalDetails: "cut" } },
    "retrying",
    "attempt 1 of 4: cut",
  ],
  ["error", { willRetry: true, error: { message: "Reconnecting... 2/4 (cut)" } }, "retrying", "attempt 2 of 4: cut"],
])("%s is told as a remark", (method, params, label, detail) => {
  const [, completed] = after(method, params);
  expect(completed).toMatchObject({ data: { item: { kind: "status", content: [{ type: "status", label, detail }] } } });
});

test.each([
  ["account/rateLimits/updated", { rateLimits: { primary: null } }],
  ["skills/changed", {}],
  ["remoteControl/status/changed", { status: "disabled" }],
  ["thread/realtime/started", { version: "v3" }],
  ["fuzzyFileSearch/sessionCompleted", { sessionId: "s" }],
  ["windows/worldWritableWarning", { samplePaths: [] }],
])("%s is of no concern", (method, params) => {
  expect(after(method, params)).toEqual([]);
});

test.each(["account/frozen", "thread/realtime/question", "fs/", "skills/changed/twice"])(
  "%s is a line of a family we know, and not known itself: it is told",
  (method) => {
    expect(after(method, {})).toMatchObject([{ type: "agent.unparsed" }]);
  },
);

test.each([
  [{ type: "reasoning", id: "r" }],
  [{ type: "webSearch", id: "w", query: "herons" }],
  [
    {
      type: "mcpToolCall",
      id: "m",
      server: "s",
      tool: "t",
      status: "completed",
      arguments: {},
      result: { content: [] },
    },
  ],
  [{ type: "imageGeneration", id: "i", status: "completed" }],
])("fields that Codex may leave out are not missed: %j", (item) => {
  const told = [...after("item/started", { item }), ...after("item/completed", { item })];
  expect(told.map(({ type }) => type)).not.toContain("agent.unparsed");
});

test("what nobody knows is kept as it came", () => {
  expect(after("weather/changed", { of: "today" })).toMatchObject([{ type: "agent.unparsed" }]);
});

test("what was given up long ago is forgotten: the state does not grow with the conversation", () => {
  const conversion = new Conversion(codexConverter({ permissionMode: "default" }));
  const say = (method: string, params: object) =>
    conversion.line(JSON.stringify({ method, params: { threadId: "thread", ...params } }), []);
  conversion.line(JSON.stringify(opened), []);
  for (let turn = 0; turn < 1_000; turn++) {
    say("turn/started", { turn: { id: `turn${turn}`, status: "inProgress" } });
    say("item/started", { item: { type: "agentMessage", id: `message${turn}`, text: "" } });
    say("turn/completed", { turn: { id: `turn${turn}`, status: "interrupted" } });
  }
  expect(conversion.state.givenUp.size).toBeLessThanOrEqual(200);
  const late = say("item/completed", { item: { type: "agentMessage", id: "message999", text: "late" } });
  expect(late[1]).toMatchObject({ data: { item: { kind: "status", nativeItemId: "message999" } } });
});
