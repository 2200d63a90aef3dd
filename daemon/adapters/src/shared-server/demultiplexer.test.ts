import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "@muster/node";
import { expect, test } from "vitest";
import { makeDirectory } from "../../test/host.ts";
import type { LineReceiver } from "../channel/line-channel.ts";
import { noStderr } from "../process/stderr-record.ts";
import type { AgentExited } from "../signals.ts";
import { Demultiplexer, type DemultiplexerOptions } from "./demultiplexer.ts";
import { ServerLog } from "./server-log.ts";
import type { SessionInbox } from "./session-inbox.ts";

interface Said {
  to?: string;
  last?: boolean;
  text?: string;
  child?: string;
}

function make(options: Partial<DemultiplexerOptions> = {}) {
  const directory = makeDirectory();
  const log = new ServerLog(join(directory, "server.log"), {
    redact: (text) => text.replaceAll("planted-secret", "[redacted]"),
    onFailure: (error) => expect.fail(String(error)),
  });
  const taken: unknown[] = [];
  const demultiplexer = new Demultiplexer({
    protocol: {
      route: (native) => (native as Said).to ?? null,
      take: (native) => (native as Said).text === "for you" && taken.push(native) > 0,
      closes: (native) => (native as Said).last === true,
      adopts: (native) => (native as Said).child,
    },
    log,
    spillDirectory: directory,
    name: "test",
    ...options,
  });
  const say = (...said: Said[]) => demultiplexer.lines(said.map((one) => JSON.stringify(one)));
  const logged = () =>
    existsSync(log.path)
      ? readFileSync(log.path, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as { raw?: unknown; data?: { raw: unknown; error: string } })
      : [];
  return { demultiplexer, say, logged, taken };
}

class Reader implements LineReceiver {
  readonly texts: string[] = [];
  exited: Omit<AgentExited, "expected"> | undefined;
  constructor(inbox: SessionInbox) {
    inbox.open(this);
  }
  lines(lines: readonly Line[]): void {
    for (const line of lines) this.texts.push((JSON.parse(line as string) as Said).text ?? "");
  }
  exit(exit: Omit<AgentExited, "expected">): void {
    this.exited = exit;
  }
}

const exit = { exitCode: 1, signal: null, stderr: noStderr };

test("each session gets its own lines in order", () => {
  const { demultiplexer, say } = make();
  const [a, b] = ["a", "b"].map((session) => new Reader(demultiplexer.attach(session)));
  say({ to: "a", text: "1" }, { to: "b", text: "2" }, { to: "a", text: "3" });
  expect([a?.texts, b?.texts]).toEqual([["1", "3"], ["2"]]);
});

test("a session is attached once", () => {
  const { demultiplexer } = make();
  demultiplexer.attach("a");
  expect(() => demultiplexer.attach("a")).toThrow("attached already");
});

test("lines of no session go to the server's log, unless somebody waits for them", () => {
  const { demultiplexer, say, logged, taken } = make();
  say({ text: "for you" }, { text: "for nobody" });
  demultiplexer.lines(["not JSON", { problem: "oversized", head: "x", bytes: 99 }]);
  expect(taken).toEqual([{ text: "for you" }]);
  expect(logged()).toMatchObject([
    { raw: { text: "for nobody" } },
    { data: { raw: "not JSON" } },
    { data: { raw: "x" } },
  ]);
});

test("known secrets do not reach the server's log", () => {
  const { say, logged } = make();
  say({ text: "with a planted-secret" });
  expect(logged()).toMatchObject([{ raw: { text: "with a [redacted]" } }]);
});

test("lines of a session that is not known yet are kept for it", () => {
  const { demultiplexer, say, logged } = make();
  say({ to: "a", text: "early" });
  const reader = new Reader(demultiplexer.attach("a"));
  say({ to: "a", text: "later" });
  expect(reader.texts).toEqual(["early", "later"]);
  expect(logged()).toEqual([]);
});

test("lines of a session that nobody claims end in the log", async () => {
  const { demultiplexer, say, logged } = make({ holdMs: 30 });
  say({ to: "ghost", text: "boo" });
  expect(logged()).toEqual([]);
  await expect.poll(logged).toMatchObject([{ type: "agent.unparsed", data: { error: "No session has the id ghost" } }]);
  expect(new Reader(demultiplexer.attach("ghost")).texts).toEqual([]);
});

test("a session that does not read waits on disk, loses nothing and stops nobody", () => {
  const { demultiplexer, say } = make({ memoryBytes: 1_000 });
  const stalled = demultiplexer.attach("stalled");
  const reader = new Reader(stalled);
  stalled.pause();
  const other = new Reader(demultiplexer.attach("other"));
  const texts = Array.from({ length: 5_000 }, (_, index) => `text ${index}`);
  for (const text of texts) say({ to: "stalled", text }, { to: "other", text });
  expect(other.texts).toEqual(texts);
  expect(reader.texts).toEqual([]);
  demultiplexer.exit(exit);
  expect([reader.exited, other.exited]).toEqual([undefined, exit]);
  stalled.resume();
  expect(reader.texts).toEqual(texts);
  expect(reader.exited).toEqual(exit);
});

test("a spill file that cannot be made ends the session it concerns", () => {
  const { demultiplexer, say } = make({ memoryBytes: 10, spillDirectory: "/dev/null/nowhere" });
  const stalled = demultiplexer.attach("stalled");
  const reader = new Reader(stalled);
  stalled.pause();
  const other = new Reader(demultiplexer.attach("other"));
  say({ to: "stalled", text: "kept in memory" });
  say({ to: "stalled", text: "too late" }, { to: "other", text: "fine" });
  stalled.resume();
  expect(reader.texts).toEqual(["kept in memory"]);
  expect(reader.exited?.stderr.head).toContain("could not be kept");
  expect(other.texts).toEqual(["fine"]);
});

test("the last line of a session is its exit", () => {
  const { demultiplexer, say } = make();
  const reader = new Reader(demultiplexer.attach("a"));
  say({ to: "a", text: "bye", last: true });
  expect(reader.texts).toEqual(["bye"]);
  expect(reader.exited).toMatchObject({ exitCode: 0 });
});

test("who comes after the server's death learns of it", () => {
  const { demultiplexer } = make();
  demultiplexer.exit(exit);
  expect(new Reader(demultiplexer.attach("a")).exited).toEqual(exit);
});

test("what a sub-agent says belongs to the session that made it, also what it said before anybody knew", () => {
  const { demultiplexer, say } = make();
  const reader = new Reader(demultiplexer.attach("a"));
  const other = new Reader(demultiplexer.attach("b"));
  say({ to: "helper", text: "early" }, { to: "a", text: "meet my helper", child: "helper" });
  say({ to: "helper", text: "meet mine", child: "helper's helper" }, { to: "helper's helper", text: "deep" });
  expect(reader.texts).toEqual(["meet my helper", "early", "meet mine", "deep"]);
  expect(other.texts).toEqual([]);
  demultiplexer.detach("a");
  say({ to: "helper", text: "late" });
  const again = new Reader(demultiplexer.attach("helper"));
  expect(again.texts).toEqual(["late"]);
});
