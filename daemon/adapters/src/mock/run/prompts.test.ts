import type { PermissionMode } from "@muster/schema";
import { describe, expect, test } from "vitest";
import { makeHost } from "../../../test/host.ts";
import { openMock, texts } from "../../../test/listener.ts";
import { isAlive } from "../../../test/processes.ts";
import type { Signal } from "../../signals.ts";

const ask = async (prompt: string, permissionMode: PermissionMode = "default") =>
  (await openMock(makeHost(), { permissionMode })).turn(prompt);
const ofType = <T extends Signal["type"]>(signals: readonly Signal[], type: T) =>
  signals.filter((signal): signal is Extract<Signal, { type: T }> => signal.type === type);
const itemKinds = (signals: readonly Signal[]) =>
  ofType(signals, "item.completed").map(({ data }) => `${data.item.kind} ${data.item.status}`);

describe("a turn of the mock agent", () => {
  test("repeats what it was told", async () => {
    expect(texts(await ask("echo one  two\nthree 🧪"))).toEqual(["one  two\nthree 🧪"]);
    expect(texts(await ask("no such prompt"))).toEqual(["no such prompt"]);
  });

  test("lists every prompt on help", async () => {
    const [text] = texts(await ask("help"));
    for (const prompt of ["echo <text>", "burst <n> [bytes]", "ignore-sigterm", "crash [code]", "demo"]) {
      expect(text).toContain(`\`${prompt}\``);
    }
  });

  test("completes every item it started, and its deltas add up to the text", async () => {
    const signals = await ask("markdown");
    const deltas = ofType(signals, "item.delta").map(({ data }) => data.delta);
    expect(deltas.length).toBeGreaterThan(20);
    expect(texts(signals)).toEqual([deltas.join("")]);
    expect(deltas.join("")).toContain("\u2028");
  });

  test.each([
    ["reasoning", ["reasoning completed", "message completed"]],
    ["tool", ["tool_call completed", "tool_result completed", "message completed"]],
    ["file", ["tool_call completed", "tool_result completed", "message completed"]],
    ["status", ["status completed", "message completed"]],
    ["image", ["message completed"]],
    ["subagent", ["message completed", "tool_call completed", "tool_result completed", "message completed"]],
    ["plan", ["plan completed", "message completed"]],
  ])("%s gives its items", async (prompt, expected) => {
    const signals = await ask(prompt);
    expect(itemKinds(signals)).toEqual(expected);
    expect(ofType(signals, "item.started")).toHaveLength(expected.length);
  });

  test("reports what it used and what it cost", async () => {
    const [finished] = ofType(await ask("echo a b c"), "turn.finished");
    expect(finished?.data).toMatchObject({
      status: "completed",
      messageIds: ["m1"],
      usage: { inputTokens: 13, outputTokens: 3 },
      costUsd: 0.000025,
    });
  });

  test("fails when told to", async () => {
    const signals = await ask("error");
    expect(ofType(signals, "error")).toMatchObject([{ data: { code: "provider_error", retryable: false } }]);
    expect(ofType(signals, "turn.finished")).toMatchObject([{ data: { status: "failed", cause: "provider_error" } }]);
  });

  test("counts a burst exactly", async () => {
    const signals = await ask("burst 20000 40");
    const deltas = ofType(signals, "item.delta").map(({ data }) => data.delta);
    expect(deltas).toEqual(Array.from({ length: 20_000 }, (_, index) => `${index + 1} `.padEnd(40, ".")));
    expect(texts(signals).join("")).toBe(deltas.join(""));
    expect(Math.max(...texts(signals).map((text) => text.length))).toBeLessThan(1024 * 1024);
  });

  test("starts a turn of its own when told to", async () => {
    const life = await openMock(makeHost());
    await life.turn("self-turn");
    await life.next("turn.began");
    expect((await life.next("item.completed")).data.item.content).toEqual([
      { type: "text", text: "Nobody asked for this turn." },
    ]);
    expect((await life.next("turn.finished")).data.messageIds).toEqual([]);
  });

  test("lets an item end after its turn when told to", async () => {
    const life = await openMock(makeHost());
    const signals = await life.turn("late-item");
    const [started] = ofType(signals, "item.started");
    expect(started?.data.item).toMatchObject({ kind: "tool_call", background: true });
    expect((await life.next("item.completed")).data.item).toMatchObject({
      itemId: started?.data.item.itemId,
      status: "completed",
    });
  });

  test("announces a retry", async () => {
    const before = Date.now();
    const [retry] = ofType(await ask("retry 50"), "retry.announced");
    expect(retry?.data.untilMs).toBeGreaterThanOrEqual(before + 50);
  });

  test("tells of the files it was given", async () => {
    const life = await openMock(makeHost());
    const attachments = [{ path: "/a/b.png", mime: "image/png" }];
    await life.send({ type: "message", messageId: "m1", text: "echo x", attachments });
    expect((await life.next("item.completed")).data.item.content).toEqual([
      { type: "status", label: "file received", detail: "/a/b.png (image/png)" },
    ]);
  });
});

describe("a person is asked", () => {
  test("a question, and the answer counts", async () => {
    const life = await openMock(makeHost());
    await life.say("questions");
    const { requestKey, questions } = (await life.next("question.asked")).data;
    expect(questions.map(({ multiSelect, allowCustom }) => [multiSelect, allowCustom])).toEqual([
      [false, true],
      [true, false],
    ]);
    await life.send({ type: "question", requestKey, answers: [["mauve"], ["Cheese", "Basil"]] });
    await life.next("turn.finished");
    expect(texts(life.signals)).toEqual(["You answered: mauve; Cheese and Basil."]);
  });

  test("for permission, and goes on when it is refused", async () => {
    const life = await openMock(makeHost());
    await life.say("permission git push");
    const { requestKey, ...asked } = (await life.next("permission.asked")).data;
    const [call] = ofType(life.signals, "item.started");
    expect(asked).toMatchObject({
      action: "execute",
      itemId: call?.data.item.itemId,
      detail: { command: "git push" },
      alwaysScope: [{ action: "execute", pattern: "git push" }],
    });
    await life.send({ type: "permission", requestKey, decision: "reject", message: "not today" });
    expect((await life.next("turn.finished")).data.status).toBe("completed");
    expect(itemKinds(life.signals)).toEqual(["tool_call cancelled", "tool_result cancelled", "message completed"]);
    expect(texts(life.signals)).toEqual(["I was not allowed to: git push (not today)"]);
  });

  test.each([
    ["permission", "default", "permission.asked"],
    ["permission", "acceptEdits", "permission.asked"],
    ["permission", "plan", "permission.decided"],
    ["permission", "bypass", undefined],
    ["permission edit a.txt", "default", "permission.asked"],
    ["permission edit a.txt", "acceptEdits", undefined],
    ["permission edit a.txt", "plan", "permission.decided"],
    ["permission edit a.txt", "bypass", undefined],
  ] as const)("about '%s' in mode %s: %s", async (prompt, permissionMode, expected) => {
    const life = await openMock(makeHost(), { permissionMode });
    await life.say(prompt);
    if (expected === "permission.asked") {
      const { requestKey } = (await life.next("permission.asked")).data;
      await life.send({ type: "permission", requestKey, decision: "allow" });
    }
    await life.next("turn.finished");
    const asked = life.signals.map(({ type }) => type).filter((type) => type.startsWith("permission."));
    expect(asked).toEqual(expected === undefined ? [] : [expected]);
  });

  test("to approve a plan while planning, and what was chosen becomes the mode", async () => {
    const life = await openMock(makeHost(), { permissionMode: "plan" });
    await life.say("plan");
    const { requestKey, kind, questions } = (await life.next("question.asked")).data;
    expect(kind).toBe("plan_approval");
    expect(questions[0]?.options.map(({ id }) => id)).toEqual(["approve", "approve_edits", "reject"]);
    await life.send({ type: "question", requestKey, answers: [["approve"]] });
    expect((await life.next("session.updated")).data).toEqual({ permissionMode: "default", agentMode: "build" });
    await life.next("turn.finished");
  });

  test("no more when the turn is interrupted", async () => {
    const life = await openMock(makeHost());
    await life.say("question");
    const { requestKey } = (await life.next("question.asked")).data;
    await life.send({ type: "interrupt" });
    expect((await life.next("request.withdrawn")).data).toEqual({ requestKey });
    expect((await life.next("turn.finished")).data.status).toBe("interrupted");
    expect(texts(await life.turn("echo still here"))).toEqual(["still here"]);
  });
});

describe("a conversation", () => {
  test("takes a nudge into a slow turn", async () => {
    const life = await openMock(makeHost());
    await life.say("slow 500");
    await life.next("item.delta");
    const messageId = await life.say("be quick", "steer");
    expect((await life.next("message.joined")).data).toEqual({ messageId });
    await life.next("turn.finished");
    expect(texts(life.signals)[0]).toContain("[you added: be quick]");
  });

  test("takes over settings while it runs", async () => {
    const life = await openMock(makeHost());
    await life.send({ type: "update", model: "mock-large", permissionMode: "bypass" });
    expect(texts(await life.turn("settings"))[0]).toContain(
      "model mock-large, mode build, variant none, permissions bypass",
    );
  });

  test("remembers over its lives, and says when it does not", async () => {
    const host = makeHost();
    const first = await openMock(host);
    await first.turn("echo remember me");
    await first.session.close();
    const totals = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
    const { nativeSessionId = "" } = first.session;

    const second = await openMock(host, { resume: { nativeSessionId, nextItem: 5, totals } });
    expect([second.session.nativeSessionId, second.session.contextLost]).toEqual([nativeSessionId, undefined]);
    const signals = await second.turn("history");
    expect(texts(signals)).toEqual(["1. echo remember me"]);
    expect(ofType(signals, "item.started")[0]?.data.item.itemId).toBe("item_5");

    const lost = await openMock(host, { resume: { nativeSessionId: "../unknown", nextItem: 1, totals } });
    expect(lost.session.contextLost).toBe(true);
  });

  test("does not see the daemon's environment", async () => {
    const life = await openMock(makeHost({ env: { ...process.env, DAEMON_SECRET: "x" } }), { env: { GIVEN: "1" } });
    expect(texts(await life.turn("env DAEMON_SECRET"))).toEqual(["DAEMON_SECRET is not set"]);
    expect(texts(await life.turn("env GIVEN"))).toEqual(["GIVEN=1"]);
  });
});

describe("misbehaviour", () => {
  test("what nobody understands is told and the turn goes on", async () => {
    const signals = await ask("unparsed");
    expect(ofType(signals, "agent.unparsed").map(({ data }) => [data.location, data.raw])).toEqual([
      ["json", "this line is not JSON"],
      ["mock", { ev: "riddle", answer: 42 }],
    ]);
    expect(ofType(signals, "turn.finished")).toMatchObject([{ data: { status: "completed" } }]);
  });

  test("a line of 64 MB is told by its head and the turn goes on", async () => {
    const signals = await ask("long-line 64000000");
    const [unparsed] = ofType(signals, "agent.unparsed");
    expect(unparsed?.data.error).toMatch(/too long.* \(6400\d{4} bytes\)/);
    expect(unparsed?.data.raw).toMatch(/^\{"ev":"block".*"words":"x{1000}/);
    expect(texts(signals)).toEqual(["I said a line of 64000000 bytes."]);
  });

  test("a long line below the limit is an item", async () => {
    const [long] = texts(await ask("long-line 2000000"));
    expect(long).toHaveLength(2_000_000);
  });

  test("bytes that are not text are told and the turn goes on", async () => {
    const signals = await ask("invalid-utf8");
    expect(ofType(signals, "agent.unparsed")).toMatchObject([{ data: { location: "jsonl" } }]);
    expect(ofType(signals, "turn.finished")).toHaveLength(1);
  });

  test("a line cut off by the end is told before the exit", async () => {
    const life = await openMock(makeHost());
    await life.say("half-line");
    const { data } = await life.next("agent.unparsed");
    expect(data).toMatchObject({ raw: '{"ev":"block_open","block":"b', location: "jsonl" });
    expect(await life.exit()).toMatchObject({ exitCode: 0, expected: false });
    expect(life.signals.at(-1)?.type).toBe("agent.exited");
  });

  test("a crash is an exit with its code and its stderr", async () => {
    const life = await openMock(makeHost());
    await life.say("crash 42");
    expect(await life.exit()).toEqual({
      exitCode: 42,
      signal: null,
      stderr: { head: "mock agent: crashing as told\n", tail: "", truncated: false, totalLines: 1 },
      expected: false,
    });
    await expect(life.say("echo x")).rejects.toThrow("has ended");
  });

  test("an agent may end its life politely", async () => {
    const life = await openMock(makeHost());
    await life.turn("end");
    expect(await life.exit()).toMatchObject({ exitCode: 0, signal: null, expected: false });
  });

  test("a message to an agent that closed its stdin is refused", async () => {
    const life = await openMock(makeHost());
    await life.turn("close-stdin");
    await expect(life.say("echo x")).rejects.toThrow("no longer takes input");
  });

  test("a hanging turn ignores an interrupt and ends with the life", async () => {
    const life = await openMock(makeHost());
    await life.say("hang");
    await life.arrival();
    await life.send({ type: "interrupt" });
    await life.session.close({ graceMs: 600 });
    expect((await life.exit()).expected).toBe(true);
    expect(ofType(life.signals, "turn.finished")).toEqual([]);
  });

  test("an agent that ignores SIGTERM is killed", async () => {
    const life = await openMock(makeHost());
    await life.say("ignore-sigterm");
    await life.next("item.completed");
    await life.session.close({ graceMs: 300 });
    expect(await life.exit()).toMatchObject({ exitCode: null, signal: "SIGKILL", expected: true });
  });

  test("a process that the agent left in a session of its own dies with the life", async () => {
    const life = await openMock(makeHost());
    const pid = Number(/pid (\d+)/.exec(texts(await life.turn("orphan"))[0] ?? "")?.[1]);
    expect(await isAlive(pid)).toBe(true);
    await life.session.close();
    expect(await isAlive(pid)).toBe(false);
  });
});
