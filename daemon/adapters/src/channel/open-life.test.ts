import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost, openOptions, type TestHost } from "../../test/host.ts";
import { Listener, openMock } from "../../test/listener.ts";
import type { AgentStartFailure, OpenOptions } from "../adapter.ts";
import type { Converter } from "../converter/converter.ts";
import { mock } from "../mock/index.ts";
import { noStderr } from "../process/stderr-record.ts";
import type { LineChannel, LineReceiver } from "./line-channel.ts";
import { openLife } from "./open-life.ts";

async function startFailure(host: TestHost, options: Partial<OpenOptions>): Promise<AgentStartFailure> {
  return mock.open(host, openOptions(host, options)).then(
    () => expect.fail("it started"),
    (error: AgentStartFailure) => error,
  );
}

test.each([{ shared: false }, { shared: true }])(
  "every way not to start is told, and leaves nothing running: %o",
  async (how) => {
    const host = makeHost();
    const start = (start: string) => startFailure(host, { agentOptions: { ...how, start } });
    expect(await start("missing")).toMatchObject({ type: "spawn_failed" });
    expect(await start("crash")).toMatchObject({ type: "process_exited", details: { exitCode: 7 } });
    expect((await startFailure(host, { token: "invalid", agentOptions: how })).type).toMatch(
      /token_error|process_exited/,
    );
    expect(readdirSync(host.livesDirectory)).toEqual([]);
  },
);

test("a refused token is a token_error", async () => {
  expect(await startFailure(makeHost(), { token: "invalid" })).toMatchObject({
    type: "token_error",
    message: "The mock provider refused the token",
  });
});

test("an agent that says nothing is given up in time", async () => {
  const host = makeHost();
  const error = await startFailure(host, { agentOptions: { start: "silent", startMs: 200 } });
  expect(error).toMatchObject({ type: "timeout", message: "The agent was not ready within 200 ms" });
  expect(readdirSync(host.livesDirectory)).toEqual([]);
});

test.each([
  ["a process of its own", { start: "silent", startMs: 60_000 }],
  ["a shared server", { start: "silent", startMs: 60_000, shared: true }],
])("a start on %s that is called off ends at once and leaves nothing running", async (_, agentOptions) => {
  const host = makeHost();
  const abort = new AbortController();
  const opening = mock.open(host, openOptions(host, { agentOptions, signal: abort.signal }));
  const lives = () => (existsSync(host.livesDirectory) ? readdirSync(host.livesDirectory) : []);
  await expect.poll(lives, { timeout: 30_000 }).toHaveLength(1);
  abort.abort(new Error("called off"));
  await expect(opening).rejects.toThrow("called off");
  await expect.poll(lives, { timeout: 30_000 }).toEqual([]);
  await expect(mock.open(host, openOptions(host, { signal: abort.signal }))).rejects.toThrow("called off");
  expect(lives()).toEqual([]);
});

test("an agent that is not read stops, and nothing it says is lost", async () => {
  const host = makeHost();
  const session = await mock.open(host, openOptions(host));
  await session.send({ type: "message", messageId: "m1", text: "burst 100000 100", attachments: [] });
  const before = process.memoryUsage().rss;
  await new Promise((resolve) => setTimeout(resolve, 500));
  // 100,000 deltas are some 18 MB of lines; what may be waiting here is a pipe and a queue of 256 KiB.
  expect(process.memoryUsage().rss - before).toBeLessThan(15 * 1024 * 1024);
  const life = new Listener(session);
  await life.next("turn.finished");
  expect(life.signals.filter(({ type }) => type === "item.delta")).toHaveLength(100_000);
  await session.close();
});

test("one array comes per read and one output per line", async () => {
  const life = await openMock(makeHost());
  await life.turn("burst 1000");
  expect(life.outputs.every(({ raw }) => raw !== undefined)).toBe(true);
  const lines = life.outputs.map(({ raw }) => JSON.parse(raw ?? "") as { ev: string });
  expect(lines.filter(({ ev }) => ev === "block_more")).toHaveLength(1_000);
});

test("a life that nobody reads can be closed", async () => {
  const host = makeHost();
  const session = await mock.open(host, openOptions(host));
  await session.send({ type: "message", messageId: "m1", text: "burst 1000000 100", attachments: [] });
  await session.close({ graceMs: 500 });
  expect(readdirSync(host.livesDirectory)).toEqual([]);
  let last: string | undefined;
  for await (const outputs of session.events) last = outputs.at(-1)?.bodies.at(-1)?.type;
  expect(last).toBe("agent.exited");
  await session.close();
});

/** A channel without a process, to see what a life does with it. */
class FakeChannel implements LineChannel<string> {
  receiver: LineReceiver | undefined;
  readonly written: string[] = [];
  open(receiver: LineReceiver): void {
    this.receiver = receiver;
  }
  pause(): void {}
  resume(): void {}
  async write(lines: readonly string[]): Promise<void> {
    this.written.push(...lines);
  }
  async end(): Promise<void> {
    this.receiver?.exit({ exitCode: 0, signal: null, stderr: noStderr });
  }
}

const loudConverter: Converter<number, string> = {
  initial: () => 0,
  step(state, input) {
    if ("native" in input && input.native === "boom") throw new Error("a fault of ours");
    const what = Object.keys(input)[0] ?? "";
    const body = { type: "error", data: { code: "agent_error", message: what, retryable: false } } as const;
    return { state: state + 1, bodies: [body], replies: [`reply to ${what}`] };
  },
};

test("commands, ticks, lines and the exit all pass the converter, and its replies are sent", async () => {
  const channel = new FakeChannel();
  const session = await openLife({ channel, converter: loudConverter, facts: () => ({ ready: true }), tickMs: 5 });
  const life = new Listener(session);
  expect((await life.next("error")).data.message).toBe("tick");
  await life.send({ type: "interrupt" });
  while ((await life.next("error")).data.message !== "command");
  channel.receiver?.lines(['"hello"', "", '"boom"', "{"]);
  while ((await life.next("error")).data.message !== "native");
  expect((await life.next("agent.unparsed")).data).toMatchObject({ raw: "boom", location: "converter" });
  expect((await life.next("agent.unparsed")).data).toMatchObject({ raw: "{", location: "json" });
  await session.close();
  while ((await life.next("error")).data.message !== "exit");
  expect((await life.exit()).expected).toBe(true);
  expect(new Set(channel.written)).toEqual(new Set(["reply to tick", "reply to command", "reply to native"]));
});

test("what an agent learns after it was ready is known to its life", async () => {
  const channel = new FakeChannel();
  const session = await openLife({
    channel,
    converter: loudConverter,
    facts: (lines) =>
      lines === 0
        ? { ready: true, agentVersion: "1.0.0" }
        : { ready: true, agentVersion: "1.0.1", nativeSessionId: "late", metadata: { lines } },
  });
  expect(session).toMatchObject({ agentVersion: "1.0.0" });
  expect(session.nativeSessionId).toBeUndefined();
  channel.receiver?.lines(['"one"']);
  expect(session).toMatchObject({ agentVersion: "1.0.1", nativeSessionId: "late", metadata: { lines: 1 } });
  channel.receiver?.lines(['"two"']);
  expect(session.metadata).toEqual({ lines: 2 });
  await session.close();
});

test("the spawn record names the session", async () => {
  const host = makeHost();
  await openMock(host, { sessionId: "named" });
  const [name = ""] = readdirSync(host.livesDirectory);
  expect(JSON.parse(readFileSync(join(host.livesDirectory, name), "utf8"))).toMatchObject({
    agent: "mock",
    sessionId: "named",
  });
});
