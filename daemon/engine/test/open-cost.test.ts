import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentSession, adapters, type Signal } from "@muster/adapters";
import type { Item } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Engine } from "../src/engine.ts";
import { Redactor } from "../src/secrets/redaction.ts";
import type { Session } from "../src/session/session.ts";
import { countSteps } from "./counted-steps.ts";

let root: string;
let engine: Engine;
let agent: TalkingAgent;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "muster-open-cost-"));
  const directories = { dataDirectory: root, defaultDirectory: root, home: root };
  const redactor = new Redactor([]);
  engine = await Engine.start({ ...directories, durability: "none", keepRaw: false, env: {}, redactor, log: () => {} });
  const open = async () => {
    agent = new TalkingAgent();
    return agent;
  };
  Object.assign(engine.agents, { adapter: () => ({ ...adapters.mock, check: async () => {}, open }) });
});
afterEach(async () => {
  await engine.close();
  await rm(root, { recursive: true, force: true });
});

/** Each does the same to a few of what is open; `n` are those it has not touched before. */
const moments: Readonly<Record<string, (session: Session, n: number[]) => Promise<unknown>>> = {
  "calls are opened": (_, n) => agent.say(n.flatMap((number) => [started(number + 1_000_000)])),
  "calls say something": (_, n) => agent.say(n.map(delta)),
  "calls end, and with them their permissions": (_, n) => agent.say(n.map(completed)),
  "permissions are withdrawn": (_, n) =>
    agent.say(n.map((number) => ({ type: "request.withdrawn", data: { requestKey: `ask_${number}` } }))),
  "permissions are answered": async ({ requests }, n) => {
    for (const number of n) await requests.replyPermission(`permission_${number}`, { reply: "once" });
  },
  "messages are queued": async (session, n) => {
    for (const number of n) await session.send({ message: "later", messageId: `more_${number}` });
  },
  "messages are cancelled, from the middle of the queue": async (session, n) => {
    for (const number of n) await session.cancelMessage(`m${number}`);
  },
  "the session is looked at": async (session, n) => {
    for (const _ of n) session.view();
  },
};

it.each(Object.keys(moments))("it takes as many steps with 100 open as with 1,500 when %s", async (moment) => {
  const steps = [];
  for (const open of [100, 1_500]) {
    const session = await openSession(`s${open}`, open);
    const some = Array.from({ length: 20 }, (_, n) => open / 2 + n);
    steps.push(await countSteps(async () => void (await moments[moment]?.(session, some))));
    await agent.say([{ type: "turn.finished", data: { status: "completed" } }]);
  }
  const [few = 0, many = 0] = steps;
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThanOrEqual(few * 1.1);
});

/** A turn with so many calls, permissions, queued messages and streams that wait for the end of one. */
async function openSession(sessionId: string, open: number): Promise<Session> {
  await engine.sessions.create(sessionId, { agent: "mock" });
  const session = await engine.sessions.get(sessionId);
  await session.send({ message: "go" });
  const numbers = Array.from({ length: open }, (_, n) => n + 1);
  await agent.say(numbers.flatMap((number) => [started(number), asked(number)]));
  for (const number of numbers) {
    const messageId = `m${number}`;
    await session.send({ message: "later", messageId });
    void session.messageEnd(messageId);
  }
  const { state, queued, pendingRequests } = session.view();
  expect({ state, queued, pendingRequests }).toEqual({ state: "waiting", queued: open, pendingRequests: open });
  return session;
}

const itemOf = (number: number, status: Item["status"]): Item => ({
  itemId: `item_${number}`,
  kind: "tool_call",
  status,
  content: [{ type: "tool_call", callId: `call_${number}`, name: "shell", toolKind: "execute", input: {} }],
});
const started = (number: number): Signal => ({ type: "item.started", data: { item: itemOf(number, "in_progress") } });
const completed = (number: number): Signal => ({ type: "item.completed", data: { item: itemOf(number, "completed") } });
const delta = (number: number): Signal => ({
  type: "item.delta",
  data: { itemId: `item_${number}`, index: 0, part: "output", delta: "x" },
});
const asked = (number: number): Signal => ({
  type: "permission.asked",
  data: { requestKey: `ask_${number}`, action: "execute", title: "ls", itemId: `item_${number}`, alwaysScope: [] },
});

/** An agent that says what the test says. */
class TalkingAgent implements AgentSession {
  readonly #said: { bodies: Signal[]; taken: () => void }[] = [];
  #wake: () => void = () => {};
  #isOver = false;
  readonly events = this.#talk();

  /** Resolves when the engine has dealt with it. */
  say(bodies: Signal[]): Promise<void> {
    return new Promise((taken) => {
      this.#said.push({ bodies, taken });
      this.#wake();
    });
  }

  async send(): Promise<void> {}

  async close(): Promise<void> {
    this.#isOver = true;
    this.#wake();
  }

  async *#talk() {
    while (!this.#isOver) {
      const next = this.#said.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      yield [{ bodies: next.bodies }];
      next.taken();
    }
  }
}
