import type { Conversation } from "@muster/conformance";
import type { CreatedSession } from "@muster/schema";
import { expect } from "vitest";
import { parts } from "../agent-home.ts";
import { ClaudeHome } from "./claude-home.ts";

const { claude, test } = await ClaudeHome.forFile();
const status = (code: number) => ({ fault: { kind: "status" as const, status: code }, times: "always" as const });

test("401: the turn fails at the first refusal instead of after minutes, and the session goes on", async () => {
  const session = await claude.begin([{ match: { not: { user: "once more" } }, ...status(401) }, { text: "Now." }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "auth_failed" });
  expect(turn.of("error")).toMatchObject([{ code: "auth_failed", retryable: false }]);
  expect(session.llm.requests().length).toBeLessThanOrEqual(2);
  expect((await session.talk.say("once more")).text).toBe("Now.");
  await claude.finish(session);
});

test.each([
  [400, "provider_error"],
  [403, "auth_failed"],
  [404, "model_not_found"],
  [500, "provider_error"],
  [529, "provider_error"],
])("%d: the turn fails as %s", async (code, cause) => {
  const session = await claude.begin([status(code)]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause });
  expect(turn.of("error")).toMatchObject([{ code: cause }]);
  await session.talk.finish();
});

const retries = (turn: Awaited<ReturnType<Conversation["say"]>>) =>
  parts(turn.of("item.completed"), "status").filter(({ label }) => label === "retrying");

test("500: three retries are told before the turn fails", async () => {
  const session = await claude.begin([status(500)]);
  const turn = await session.talk.say("hello");
  expect(retries(turn).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^attempt 1 of 3 in \d\.\d s: server_error \(500\)$/),
    expect.stringMatching(/^attempt 2 of 3/),
    expect.stringMatching(/^attempt 3 of 3/),
  ]);
  await session.talk.finish();
});

test("429: when the retries are used up the turn is rate limited", async () => {
  const session = await claude.begin([{ fault: { kind: "status", status: 429, retryAfter: 1 }, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "rate_limited" });
  expect(turn.of("error")).toMatchObject([{ code: "rate_limited", retryable: true }]);
  expect(retries(turn)).toHaveLength(3);
  await session.talk.finish();
});

test("429 once: the retry is told, and the turn completes", async () => {
  const session = await claude.begin([{ fault: { kind: "status", status: 429, retryAfter: 1 } }, { text: "Now." }]);
  const turn = await session.talk.say("hello");
  expect(turn.end.status).toBe("completed");
  expect(turn.text).toBe("Now.");
  expect(retries(turn)).toHaveLength(1);
  await claude.finish(session);
});

test("a malformed stream fails the turn", async () => {
  const session = await claude.begin([
    { text: "Never whole.", fault: { kind: "malformed", atEvent: 2 }, times: "always" },
  ]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "provider_error" });
  await session.talk.finish();
});

test("an error event in the stream fails the turn", async () => {
  const session = await claude.begin([{ fault: { kind: "error_event" }, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end.status).toBe("failed");
  await session.talk.finish();
});

test("a connection cut in the middle of the text is tried again, and what was said is marked as failed", async () => {
  const session = await claude.begin([
    { text: "This will be cut off before it ends, in the middle.", fault: { kind: "drop", atByte: 1_200 } },
    { text: "Whole this time." },
  ]);
  const turn = await session.talk.say("hello");
  expect(turn.end.status).toBe("completed");
  expect(turn.text).toContain("Whole this time.");
  await session.talk.finish();
});

test("an answer that is cut by its limit again and again fails as output_limit", async () => {
  const session = await claude.begin([{ text: "This is cut off", stop: "length", times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "output_limit" });
  await session.talk.finish();
});

test("a refusal fails as refused", async () => {
  const session = await claude.begin([{ text: "No.", stop: "refusal", times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "refused" });
  await session.talk.finish();
});

test("a tool that does not exist or is called wrongly is an error of the tool only", async () => {
  const session = await claude.begin([
    { tools: [{ name: "NoSuchTool", native: true, input: {} }] },
    { tools: [{ name: "Read", native: true, input: { wrong: 1 } }] },
    { text: "Sorry." },
  ]);
  const turn = await session.talk.say("try");
  expect(turn.end.status).toBe("completed");
  const results = turn.of("item.completed").filter(({ item }) => item.kind === "tool_result");
  expect(results.map(({ item }) => item.status)).toEqual(["failed", "failed"]);
  await claude.finish(session);
});

test("without credentials a session says at once which variable, option and login would give one", async () => {
  const body = { agent: "claude", directory: await claude.directory() };
  const created = await claude.daemon.api.post<CreatedSession>("/sessions", body);
  expect(created).toMatchObject({ healthy: false, error: { type: "token_error" } });
  for (const words of ["ANTHROPIC_API_KEY", "--agent-token-file", "claude /login"]) {
    expect(created.error?.message).toContain(words);
  }
});

test("a model Claude does not have makes the session unhealthy and says which there are", async () => {
  const created = await claude.daemon.api.request("POST", "/sessions/claude-no-model", {
    agent: "claude",
    directory: await claude.directory(),
    token: "sk-ant-test-000",
    model: "gigantic",
  });
  expect(created).toMatchObject({
    status: 201,
    body: { healthy: false, error: { type: "unsupported", message: expect.stringContaining("sonnet") } },
  });
});

test("a start that only complains on stderr makes the session unhealthy with those words", async () => {
  const created = await claude.daemon.api.request("POST", "/sessions/claude-no-start", {
    agent: "claude",
    directory: await claude.directory(),
    baseUrl: "http://127.0.0.1:9",
    agentOptions: { jsonSchema: { type: "no-such-type" } },
  });
  const stderr = { head: expect.stringContaining("not a valid JSON Schema") };
  expect(created.body).toMatchObject({ healthy: false, error: { type: "process_exited", details: { stderr } } });
});
