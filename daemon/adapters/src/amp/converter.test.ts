import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../test/conversion/arbitrary-commands.ts";
import type { Command } from "../commands.ts";
import { Conversion } from "../converter/conversion.ts";
import type { Signal } from "../signals.ts";
import { ampConverter } from "./converter.ts";
import { modesInHelp } from "./wire/modes.ts";
import type { AmpNative, HeardLine } from "./wire/native.ts";

describe("whatever Amp says", () => {
  const knownTypes = ["assistant", "user", "system", "result", "permission_request", "process_ended", "what"];

  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ type: fc.constantFrom(...knownTypes), rest: json })), (line) => {
        const { bodies } = ampConverter.step(ampConverter.initial(), { native: line as unknown as AmpNative });
        for (const body of bodies) expect(body.type).toMatch(/^(agent\.unparsed|turn\.finished)/);
      }),
    );
  });

  test("what it did not understand is kept, with the reason", () => {
    const lines = [42, { type: "riddle" }, { type: "system", subtype: "riddle" }, { type: "assistant" }];
    expect(
      life()
        .say(...lines)
        .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type)),
    ).toEqual([
      "The line is not an object",
      'Unknown line: "riddle"',
      "Unknown line: system/riddle",
      "message: Invalid input: expected object, received undefined",
    ]);
  });

  test("a known block without its field is not understood, an unknown one is shown as it came", () => {
    const [bad] = life().say(assistant([{ type: "text", words: "hi" }]));
    expect(bad).toMatchObject({ type: "agent.unparsed" });
    const [, shown] = life().say(assistant([{ type: "picture", of: "a heron" }]));
    expect(shown).toMatchObject({ data: { item: { content: [{ type: "json", json: { of: "a heron" } }] } } });
  });
});

describe("turns", () => {
  test("an end of a sub-agent is not the end of the turn; its calls are over when it goes on or is done", () => {
    const amp = life();
    const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
    const ended = (said: Signal[]) => said.flatMap((one) => (one.type === "item.completed" ? [one.data.item] : []));
    amp.send(message("m1"));
    amp.say(assistant([call("t1", "Task")], "tool_use"));
    expect(ended(amp.say(assistant([call("b1", "Bash")], "tool_use", "t1")))).toEqual([]);
    expect(ended(amp.say(assistant([call("b2", "Bash")], "tool_use", "t1")))).toMatchObject([{ nativeItemId: "b1" }]);
    expect(ended(amp.say(toolResult("t1", "found")))).toMatchObject([
      { nativeItemId: "b2", parentId: "item_1", status: "completed" },
      { nativeItemId: "t1" },
      { kind: "tool_result" },
    ]);
    const last = amp.say(assistant([{ type: "text", text: "found" }], "end_turn", "t1"));
    expect(last).toMatchObject([{}, { data: { item: { parentId: "item_1" } } }]);
    expect(amp.say(assistant([{ type: "text", text: "done" }], "end_turn")).at(-1)).toMatchObject({
      type: "turn.finished",
      data: { status: "completed", messageIds: ["m1"] },
    });
  });

  test("a steering message that is not heard yet keeps the turn open", () => {
    const amp = life();
    amp.send(message("m1"));
    expect(amp.say(prompt("one"))).toEqual([]);
    amp.send(steer("m2"));
    expect(amp.say(assistant([], "end_turn"))).toEqual([]);
    expect(amp.say(prompt("two"))).toEqual([{ type: "message.joined", data: { messageId: "m2" } }]);
    expect(amp.say(assistant([], "end_turn"))).toMatchObject([{ data: { messageIds: ["m1", "m2"] } }]);
  });

  test("a text that a steering message cut off is cancelled", () => {
    const amp = life();
    amp.send(message("m1"));
    amp.send(steer("m2"));
    expect(amp.say(prompt("one"), assistant([{ type: "text", text: "I was" }], null)).at(-1)).toMatchObject({
      data: { item: { status: "cancelled" } },
    });
  });

  test("a signal and the end of a turn may cross; the next turn is not what was stopped", () => {
    const amp = life();
    amp.send(message("m1"));
    amp.send({ type: "interrupt" });
    expect(amp.say(assistant([], "end_turn"))).toMatchObject([
      { type: "turn.finished", data: { status: "completed" } },
    ]);
    amp.send(message("m2"));
    expect(amp.say(cancelledLine, { type: "process_ended" })).toEqual([]);
    expect(amp.say(prompt("two"), assistant([], "end_turn"))).toMatchObject([{ data: { messageIds: ["m2"] } }]);
  });

  test("a process that was stopped and said nothing has ended its turn", () => {
    const amp = life();
    amp.send(message("m1"));
    expect(amp.send({ type: "interrupt" })).toEqual([{ type: "interrupt" }]);
    expect(amp.send({ type: "interrupt" })).toEqual([]);
    expect(amp.say({ type: "process_ended" })).toMatchObject([{ data: { status: "interrupted", messageIds: ["m1"] } }]);
    expect(amp.send({ type: "interrupt" })).toEqual([]);
  });
});

describe("permissions", () => {
  const asked = {
    type: "permission_request",
    request_id: "p1",
    tool_name: "Bash",
    tool_use_id: "t1",
    input: { cmd: "npm test" },
  };
  const call = assistant([{ type: "tool_use", id: "t1", name: "Bash", input: { cmd: "npm test" } }], "tool_use");

  test.each([
    ["before", [asked, call]],
    ["after", [call, asked]],
  ])("one asked for %s the line of its call is about one item", (_, lines) => {
    const amp = life();
    amp.send(message("m1"));
    const said = amp.say(...lines);
    expect(said.filter(({ type }) => type === "item.started")).toHaveLength(1);
    expect(said.find(({ type }) => type === "permission.asked")).toEqual({
      type: "permission.asked",
      data: {
        requestKey: "p1",
        action: "execute",
        title: "Run npm test",
        detail: { tool: "Bash", command: "npm test" },
        itemId: "item_1",
        alwaysScope: [{ action: "execute", pattern: "npm test" }],
      },
    });
    expect(amp.say({ type: "permission_withdrawn", request_id: "p1" })).toEqual([
      { type: "request.withdrawn", data: { requestKey: "p1" } },
    ]);
  });

  test("always holds for one file, wherever Amp has gone since", () => {
    const amp = life();
    const scopeOf = (cwd: string, path: string) =>
      amp
        .say({ type: "system", subtype: "init", cwd }, { ...asked, tool_name: "edit_file", input: { path } })
        .flatMap((body) => (body.type === "permission.asked" ? body.data.alwaysScope : []));
    expect(scopeOf("/w", "/w/a.txt")).toMatchObject([{ pattern: "a.txt" }]);
    expect(scopeOf("/w/sub", "/w/sub/a.txt")).toMatchObject([{ pattern: "sub/a.txt" }]);
  });

  test("always holds for the same command in the same place", () => {
    const scopes = [{ cmd: "ls" }, { cmd: "ls", cwd: "/" }].map((input) => {
      const said = life().say({ ...asked, input });
      return said.flatMap((body) => (body.type === "permission.asked" ? body.data.alwaysScope : []));
    });
    expect(scopes[0]).not.toEqual(scopes[1]);
  });
});

test("the id of the thread may come late, and is told then", () => {
  const init = { type: "system", subtype: "init", session_id: "T-1" };
  expect(life().say(init)).toEqual([]);
  const late = life();
  late.tick(0);
  late.tick(5_000);
  expect(late.facts()).toEqual({ ready: true });
  expect(late.say(init)).toEqual([{ type: "session.updated", data: { nativeSessionId: "T-1" } }]);
  expect(late.say(init)).toEqual([]);
});

test("the modes are those its help names", () => {
  expect(modesInHelp("  -m, --mode <value>\n  Set the agent mode (free, rush, smart) — controls")).toEqual([
    { id: "free" },
    { id: "rush" },
    { id: "smart" },
  ]);
  const current = "Set the agent mode (low, ultra, or a plugin mode by key or label, case-insensitive) — controls";
  expect(modesInHelp(current)).toEqual([{ id: "low" }, { id: "ultra" }]);
  expect(modesInHelp("no such flag")).toEqual([]);
});

function life() {
  const conversion = new Conversion(ampConverter);
  return {
    say: (...lines: unknown[]): Signal[] => lines.flatMap((line) => conversion.line(JSON.stringify(line), [])),
    send(command: Command): HeardLine[] {
      const replies: AmpNative[] = [];
      conversion.command(command, replies);
      return replies as HeardLine[];
    },
    tick: (nowMs: number) => conversion.tick(nowMs, []),
    facts: () => conversion.state.facts,
  };
}

const message = (messageId: string): Command => ({ type: "message", messageId, text: messageId, attachments: [] });
const steer = (messageId: string): Command => ({ type: "steer", messageId, text: messageId, attachments: [] });
const prompt = (words: string) => ({ type: "user", message: { content: [{ type: "text", text: words }] } });
const cancelledLine = { type: "result", is_error: true, error: "User cancelled (SIGINT/SIGTERM)" };

function assistant(content: object[], stop_reason: string | null = null, parent_tool_use_id: string | null = null) {
  return { type: "assistant", message: { content, stop_reason }, parent_tool_use_id };
}

function toolResult(tool_use_id: string, content: string) {
  return { type: "user", message: { content: [{ type: "tool_result", tool_use_id, content }] } };
}
