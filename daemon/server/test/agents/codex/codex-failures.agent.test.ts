import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { CreatedSession } from "@muster/schema";
import { expect } from "vitest";
import { CodexHome, fakeKey, labels } from "./codex-home.ts";

const { codex, test } = await CodexHome.forFile();

test("a key that the provider refuses fails the turn, and is in no event", async () => {
  const message = `Incorrect API key provided: ${fakeKey}`;
  const session = await codex.begin([{ fault: { kind: "status", status: 401, message }, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "auth_failed" });
  expect(turn.of("error")).toMatchObject([{ code: "auth_failed", retryable: false }]);
  expect(JSON.stringify(session.talk.events)).not.toContain(fakeKey);
  await codex.finish(session);
});

test("a provider that says 429 until the retries are used up has rate-limited the turn", async () => {
  const session = await codex.begin([{ fault: { kind: "status", status: 429 }, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "rate_limited" });
  expect(turn.of("error")).toMatchObject([{ code: "rate_limited", retryable: true }]);
  await codex.finish(session);
});

test("a used-up quota ends the turn at once", async () => {
  const fault = { kind: "status", status: 429, code: "insufficient_quota", message: "no quota" } as const;
  const session = await codex.begin([{ fault, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "rate_limited" });
  expect(labels(turn.of("item.completed"))).toEqual([]);
  await codex.finish(session);
});

test("a stream that is dropped once is tried again, and what was cut off is an item of its own", async () => {
  const session = await codex.begin([
    { text: "This is cut off somewhere here.", fault: { kind: "drop", atByte: 900 } },
    { text: "Whole." },
  ]);
  const turn = await session.talk.say("hello");
  expect(turn.end.status).toBe("completed");
  expect(turn.text.endsWith("Whole.")).toBe(true);
  expect(labels(turn.of("item.completed"))).toEqual(["retrying"]);
  await codex.finish(session);
});

test("a stream that is dropped every time is a failure of the provider", async () => {
  const session = await codex.begin([{ text: "Never whole.", fault: { kind: "drop", atByte: 900 }, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "provider_error" });
  expect(labels(turn.of("item.completed")).length).toBeGreaterThan(1);
  await codex.finish(session);
});

test("a broken provider is a failure of the provider", async () => {
  const session = await codex.begin([{ fault: { kind: "status", status: 500 }, times: "always" }]);
  expect((await session.talk.say("hello")).end).toMatchObject({ status: "failed", cause: "provider_error" });
  await codex.finish(session);
});

test("a request that the provider refuses fails at once with its words", async () => {
  const fault = { kind: "status", status: 400, message: "that makes no sense" } as const;
  const session = await codex.begin([{ fault, times: "always" }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "provider_error" });
  expect(turn.end.message).toContain("that makes no sense");
  await codex.finish(session);
});

test("a conversation that no longer fits is told as that", async () => {
  const fault = { kind: "error_event", code: "context_length_exceeded", message: "too long" } as const;
  const session = await codex.begin([{ fault, times: "always" }]);
  expect((await session.talk.say("hello")).end).toMatchObject({ status: "failed", cause: "context_overflow" });
  await codex.finish(session);
});

test("an error of the model in its stream is tried again and then a failure of the provider", async () => {
  const fault = { kind: "error_event", code: "server_error", message: "out of order" } as const;
  const session = await codex.begin([{ fault, times: "always" }]);
  expect((await session.talk.say("hello")).end).toMatchObject({ status: "failed", cause: "provider_error" });
  await codex.finish(session);
});

test("a provider that is not there is given up on", async () => {
  const session = await codex.begin([{ text: "Never said." }], { baseUrl: `http://127.0.0.1:${await freePort()}` });
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "provider_error" });
  await codex.finish(session);
});

test("a model that Codex does not know is used with a warning", async () => {
  const session = await codex.begin([{ text: "Hello." }], { model: "no-such-model" });
  const turn = await session.talk.say("hello");
  expect(turn.text).toBe("Hello.");
  const all = session.talk.events.flatMap((event) => (event.type === "item.completed" ? [event.data] : []));
  expect(labels(all)).toContain("warning");
  await codex.finish(session);
});

test("a configuration of the user's that is broken is told when the session is made", async () => {
  const folder = join(codex.home.path, ".codex");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.toml"), "this is not = = toml");
  const created = await codex.daemon.api.post<CreatedSession>("/sessions/broken", {
    agent: "codex",
    directory: await codex.directory(),
    agentOptions: { home: "user" },
  });
  expect(created).toMatchObject({ healthy: false, error: { type: "unsupported" } });
  expect(created.error?.message).toContain("configuration");
  await rm(folder, { recursive: true, force: true });
});

test("a session after a failed turn goes on", async () => {
  const fault = { kind: "status", status: 400, message: "not now" } as const;
  const session = await codex.begin([{ fault }, { text: "Now." }]);
  expect((await session.talk.say("hello")).end.status).toBe("failed");
  expect((await session.talk.say("again")).text).toBe("Now.");
  await codex.finish(session);
});

test("a session without a key says that one is missing", async () => {
  const created = await codex.daemon.api.post<{ healthy: boolean; error?: { type: string } }>("/sessions/keyless", {
    agent: "codex",
    directory: await codex.directory(),
  });
  expect(created).toMatchObject({ healthy: false, error: { type: "token_error" } });
});

test.each([
  ["variant", { variant: "enormous" }],
  ["agentMode", { agentMode: "dream" }],
  ["env", { env: { OPENAI_API_KEY: "x" } }],
  ["agentOptions", { agentOptions: { sandbox: "off" } }],
])("a session with a %s that Codex does not have is refused", async (option, settings) => {
  const { status, body } = await codex.daemon.api.request("POST", "/sessions/refused", { agent: "codex", ...settings });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "unsupported_option", option });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
