import { afterAll, beforeAll, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { fakeKey, OpencodeDaemon } from "./opencode-home.ts";

const status = (code: number, more: object = {}) => ({ fault: { kind: "status" as const, status: code, ...more } });

const { program, test: it } = await testsOf("opencode");
let opencode: OpencodeDaemon;
beforeAll(async () => {
  if (program === undefined) return;
  opencode = await OpencodeDaemon.start([
    {
      match: { firstUser: "wrong key" },
      turns: [status(401, { message: `Incorrect API key provided: ${fakeKey}` }), { text: "Right again." }],
    },
    { match: { firstUser: "too fast" }, turns: [status(429, { retryAfter: 1 }), { text: "Slow enough." }] },
    { match: { firstUser: "broken once" }, turns: [status(500), { text: "Mended." }] },
    { match: { firstUser: "broken for ever" }, turns: [{ ...status(500), times: "always" }] },
    {
      match: { firstUser: "cut off" },
      turns: [
        {
          text: "Partial text that is cut off",
          // The pause lets what was sent be heard: a reset takes along what has not been read yet.
          fault: { kind: "stall", atByte: 900, forMs: 1_500, afterwards: "drop" },
        },
        { text: "Partial text told whole." },
      ],
    },
    {
      match: { firstUser: "too much" },
      turns: [
        {
          ...status(400, {
            code: "context_length_exceeded",
            message: "This model's maximum context length is 8192 tokens",
          }),
          times: "always",
        },
      ],
    },
    {
      match: { firstUser: "talk slowly" },
      turns: [{ text: "word ".repeat(400), pace: { chars: 5, delayMs: 50 } }, { text: "Quickly now." }],
    },
    {
      match: { firstUser: "endless" },
      turns: [
        { tools: [{ name: "run_command", input: { command: "echo begun; sleep 60" } }] },
        { text: "Never mind." },
      ],
    },
  ]);
});
afterAll(async () => {
  if (program === undefined) return;
  await opencode.remove();
});

it("a refused key ends the turn with its cause, the key is nowhere in the log, and the next message works", async () => {
  const talk = await opencode.open();
  const turn = await talk.say("wrong key");
  expect(turn.end).toMatchObject({ status: "failed", cause: "auth_failed" });
  expect(turn.of("error")).toMatchObject([{ code: "auth_failed", retryable: false, details: { statusCode: 401 } }]);
  expect(JSON.stringify(talk.events)).not.toContain(fakeKey);
  expect((await talk.say("again")).text).toBe("Right again.");
  await talk.finish();
});

it.each([
  ["a rate limit", "too fast", "Slow enough."],
  ["a broken provider", "broken once", "Mended."],
])("%s is waited for, and told as a status", async (_, prompt, text) => {
  const talk = await opencode.open();
  const turn = await talk.say(prompt);
  expect(turn).toMatchObject({ text, end: { status: "completed" } });
  const labels = turn
    .of("item.completed")
    .flatMap(({ item }) => item.content.flatMap((part) => (part.type === "status" ? [part.label] : [])));
  expect(labels).toContain("retrying");
  await talk.finish();
});

it("a reply that is cut off is told anew, and what was told before is superseded", async () => {
  const talk = await opencode.open();
  const turn = await talk.say("cut off");
  expect(turn.end.status).toBe("completed");
  const messages = turn
    .of("item.completed")
    .map(({ item }) => item)
    .filter(({ kind, role }) => kind === "message" && role === "assistant");
  expect(messages).toMatchObject([{ status: "cancelled", supersededBy: messages[1]?.itemId }, { status: "completed" }]);
  expect(messages[1]?.content).toEqual([{ type: "text", text: "Partial text told whole." }]);
  await talk.finish();
});

it("a conversation that does not fit ends with its cause", async () => {
  const talk = await opencode.open();
  expect((await talk.say("too much")).end).toMatchObject({ status: "failed", cause: "context_overflow" });
  await talk.finish();
});

it("an interrupt stops a text in the middle, and the next message works in the same life", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("talk slowly");
  await talk.until("item.delta");
  await opencode.daemon.api.post(`${talk.path}/interrupt`, {});
  const turn = await talk.turnOf(messageId);
  expect(turn.end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
  expect((await talk.say("go on")).text).toBe("Quickly now.");
  expect(talk.events.filter(({ type }) => type === "session.updated")).toEqual([]);
  await talk.finish();
});

it("an interrupt while OpenCode waits to try again is an interrupt", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("broken for ever");
  await talk.until("item.completed", ({ item }) =>
    item.content.some((part) => part.type === "status" && part.label === "retrying"),
  );
  await opencode.daemon.api.post(`${talk.path}/interrupt`, {});
  expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
  await talk.finish();
});

it("an interrupt ends the command that runs", async () => {
  const talk = await opencode.open({ permissionMode: "bypass" });
  const { messageId } = await talk.send("endless");
  await talk.until("item.delta", ({ part }) => part === "output");
  const running = opencode.home.agents().length;
  await opencode.daemon.api.post(`${talk.path}/interrupt`, {});
  expect((await talk.turnOf(messageId)).end.status).toBe("interrupted");
  await expect.poll(() => opencode.home.agents().length, { timeout: 20_000 }).toBeLessThan(running);
  await talk.finish();
});
