import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Talk, Turns } from "../agent-home.ts";
import { CodebuffHome, terminal } from "./codebuff-home.ts";

const { codebuff, test } = await CodebuffHome.forFile();
const knows = (llm: Talk["llm"], words: string) => JSON.stringify(llm.requests().at(-1)?.body).includes(words);

const after = { text: "I go on.", times: "always" } as const;
const slow = { text: "word ".repeat(200), pace: { chars: 5, delayMs: 50 } };
const note = (more = "") => terminal(`echo ran >> runs.txt${more}`);

interface Phase {
  turns: Turns;
  permissionMode: "default" | "bypass";
  /** Resolves when the phase is reached. */
  reached: (session: Talk) => Promise<unknown>;
  /** How often the tool has run by the end of all. */
  runs: number;
}

/** Everything a run goes through, and how it is told that it is there. */
const phases: Record<string, Phase> = {
  "while the model is asked": {
    turns: [{ text: "late", fault: { kind: "stall" } }, after],
    permissionMode: "bypass",
    reached: ({ llm }) => expect.poll(() => llm.requests().length, { timeout: 30_000 }).toBe(2),
    runs: 0,
  },
  "while it speaks": {
    turns: [slow, after],
    permissionMode: "bypass",
    reached: ({ talk }) => talk.until("item.delta"),
    runs: 0,
  },
  "while it waits for a permission": {
    turns: [{ tools: [note()] }, after],
    permissionMode: "default",
    reached: ({ talk }) => talk.until("permission.requested"),
    runs: 0,
  },
  "while it waits for an answer": {
    turns: [
      {
        tools: [
          {
            name: "ask_user",
            native: true,
            input: {
              questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }], multiSelect: false }],
            },
          },
        ],
      },
      after,
    ],
    permissionMode: "bypass",
    reached: ({ talk }) => talk.until("question.requested"),
    runs: 0,
  },
  "while a tool runs": {
    turns: [{ tools: [note("; tail -f /dev/null")] }, after],
    permissionMode: "bypass",
    reached: ({ directory }) => expect.poll(() => runsIn(directory), { timeout: 30_000 }).toBe(1),
    runs: 1,
  },
  "after a tool has run": {
    turns: [{ tools: [note()] }, slow, after],
    permissionMode: "bypass",
    reached: ({ talk }) => talk.until("item.completed", ({ item }) => item.kind === "tool_result"),
    runs: 1,
  },
};

test.each(Object.entries(phases))("killed %s, the next message goes on and no tool ran twice", async (_, phase) => {
  const { turns, permissionMode, reached, runs } = phase;
  const session = await codebuff.begin([{ text: "I will remember." }, ...turns], { permissionMode });
  await session.talk.say("the word is heron");
  const { messageId } = await session.talk.send("do it");
  await reached(session);
  process.kill(codebuff.processOf(session), "SIGKILL");
  expect((await session.talk.turnOf(messageId)).end.status).toMatch(/failed|uncertain/);
  expect((await session.talk.until("session.ended")).data).toMatchObject({ reason: "error", signal: "SIGKILL" });
  const turn = await session.talk.say("and now?");
  expect(turn.end.status).toBe("completed");
  const again = await session.talk.until("session.started", ({ resumed }) => resumed);
  expect(again.data.contextLost).toBeUndefined();
  expect(knows(session.llm, "the word is heron")).toBe(true);
  expect(runsIn(session.directory)).toBe(runs);
  await session.talk.finish();
});

test("killed while idle, it wakes with its memory", async () => {
  const session = await codebuff.begin([{ text: "I will remember." }, { text: "Heron." }]);
  await session.talk.say("the word is heron");
  process.kill(codebuff.processOf(session), "SIGKILL");
  await session.talk.until("session.ended");
  expect((await session.talk.say("what was the word?")).text).toBe("Heron.");
  expect(knows(session.llm, "the word is heron")).toBe(true);
  await codebuff.finish(session);
});

test("a session that another process has open is tried again until that one lets it go", async () => {
  const session = await codebuff.begin([{ text: "I will remember." }, { text: "Heron." }]);
  await session.talk.say("the word is heron");
  const holder = await codebuff.hold(session);
  const { messageId } = await session.talk.send("what was the word?");
  await expect.poll(() => codebuff.daemon.stderr, { timeout: 30_000 }).toContain("is tried again");
  holder.kill("SIGKILL");
  expect((await session.talk.turnOf(messageId)).text).toBe("Heron.");
  await codebuff.finish(session);
});

test("a session that another process keeps open is told so, with how long it was tried", async () => {
  const session = await codebuff.begin([{ text: "I will remember." }, { text: "Heron.", times: "always" }]);
  await session.talk.say("the word is heron");
  const holder = await codebuff.hold(session);
  // Refused at once, or taken and failed a moment later, as it happens to be asked.
  await codebuff.daemon.api.request("POST", `${session.talk.path}/messages`, { message: "and?" });
  const told = new RegExp(`is open in process ${holder.pid}; tried \\d+ times in \\d+ ms`);
  const { data } = await session.talk.until("error");
  expect(data).toMatchObject({ code: "spawn_failed", message: expect.stringMatching(told), retryable: true });
  holder.kill("SIGKILL");
  // The start that failed is told a moment before it is over.
  const again = { message: "and now?", messageId: "again" };
  const send = () => codebuff.daemon.api.request("POST", `${session.talk.path}/messages`, again);
  await expect.poll(async () => (await send()).status, { timeout: 30_000 }).toBe(202);
  expect((await session.talk.turnOf("again")).text).toBe("Heron.");
  await codebuff.finish(session);
});

test("what is told of a run stands at the start of the session, its costs at the end", async () => {
  const session = await codebuff.begin([{ text: "One." }, { text: "Two." }]);
  const { data } = await session.talk.until("session.started");
  expect(data).toMatchObject({
    agentVersion: expect.any(String),
    nativeSessionId: expect.any(String),
    metadata: { agentId: "base2", model: data.model, messageHistoryLength: 0, sessionId: data.nativeSessionId },
  });
  const costs = [(await session.talk.say("one")).end.costUsd ?? 0, (await session.talk.say("two")).end.costUsd ?? 0];
  await codebuff.daemon.api.post(`${session.talk.path}/terminate`);
  const ended = await session.talk.until("session.ended");
  const totalCostUsd = expect.closeTo(
    costs.reduce((sum, cost) => sum + cost),
    9,
  );
  expect(ended.data).toMatchObject({ reason: "terminated", metadata: { runs: 2, totalCostUsd } });
  await codebuff.finish(session);
});

test("an idle agent is put to sleep and wakes with its memory", async () => {
  const session = await codebuff.begin([{ text: "I will remember." }, { text: "Heron." }], {
    limits: { agentIdleMs: 1_000 },
  });
  await session.talk.say("the word is heron");
  await session.talk.until("session.updated", ({ agentState }) => agentState === "asleep");
  expect((await session.talk.say("what was the word?")).text).toBe("Heron.");
  await codebuff.finish(session);
});

test("a conversation that is gone is told as lost", async () => {
  const session = await codebuff.begin([{ text: "Hello.", times: "always" }]);
  await session.talk.say("the word is heron");
  const { nativeSessionId = "" } = await session.talk.view();
  process.kill(codebuff.processOf(session), "SIGKILL");
  await session.talk.until("session.ended");
  await codebuff.forget(nativeSessionId);
  expect((await session.talk.say("what was the word?")).end.status).toBe("completed");
  const again = await session.talk.until("session.started", ({ resumed }) => resumed);
  expect(again.data.contextLost).toBe(true);
  expect(again.data.nativeSessionId).not.toBe(nativeSessionId);
  expect(knows(session.llm, "the word is heron")).toBe(false);
  await codebuff.finish(session);
});

function runsIn(directory: string): number {
  try {
    return readFileSync(join(directory, "runs.txt"), "utf8").split("\n").filter(Boolean).length;
  } catch {
    // It has not run.
    return 0;
  }
}
