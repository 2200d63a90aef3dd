import type { PendingRequests } from "@muster/schema";
import { expect, it } from "vitest";
import { checkInvariants } from "../check-invariants.ts";
import type { DaemonApi } from "./api.ts";
import { Conversation } from "./conversation.ts";

const steps = 40;
const seeds = [1, 2, 3, 4, 5, 6];

/** Many clients who do not know of each other, on one session: whatever they do, its log keeps every promise. */
export function disorderTests(api: () => DaemonApi): void {
  it.each(seeds)("clients in disorder (%i) leave an orderly log and a session that works", async (seed) => {
    const random = generator(seed);
    const settings = { limits: { agentIdleMs: 150, requestMs: 700 }, agentOptions: { shared: seed % 2 === 0 } };
    const talk = await Conversation.open(api(), settings);
    const under: Promise<number>[] = [];
    for (let step = 0; step < steps; step++) {
      const act = acts[Math.floor(random() * acts.length)];
      if (act) under.push(act(api(), talk, random));
      await pause(random() * 60);
    }
    const statuses = await Promise.all(under);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    await api().post(`${talk.path}/interrupt`, { queue: "cancel" });
    await api().post(`${talk.path}/terminate`);
    await talk.until("session.ended");
    expect(checkInvariants(await api().log(talk.sessionId))).toEqual([]);
    expect((await talk.say("echo in order")).text).toBe("in order");
    await talk.finish();
  });
}

type Act = (api: DaemonApi, talk: Conversation, random: () => number) => Promise<number>;

const prompts = [
  "echo a",
  "tool",
  "slow 150",
  "slow 400",
  "question",
  "permission ls",
  "burst 300",
  "crash",
  "late-item",
];
const further = ["self-turn", "subagent", "error", "unparsed", "end", "demo", "plan"];

const send: Act = async (api, talk, random) => {
  const all = [...prompts, ...further];
  const message = all[Math.floor(random() * all.length)];
  const delivery = (["queue", "queue", "queue", "steer", "reject"] as const)[Math.floor(random() * 5)];
  return (await api.request("POST", `${talk.path}/messages`, { message, delivery })).status;
};

/** The same message several times at once, as impatient clients send it. */
const sendTwins: Act = async (api, talk, random) => {
  const body = { message: "echo twin", messageId: `twin-${Math.floor(random() * 1e9)}` };
  const twins = Array.from({ length: 3 }, () => api.request("POST", `${talk.path}/messages`, body));
  return Math.max(...(await Promise.all(twins)).map(({ status }) => status));
};

const interrupt: Act = async (api, talk, random) =>
  (await api.request("POST", `${talk.path}/interrupt`, { queue: random() < 0.5 ? "keep" : "cancel" })).status;

const terminate: Act = async (api, talk) => (await api.request("POST", `${talk.path}/terminate`)).status;

const update: Act = async (api, talk, random) => {
  const model = random() < 0.5 ? "mock-small" : "mock-large";
  const change = random() < 0.5 ? { model } : { env: { SOME_SETTING: String(random()) } };
  return (await api.request("PATCH", talk.path, change)).status;
};

const reply: Act = async (api, talk, random) => {
  const { questions, permissions } = await api.get<PendingRequests>(`${talk.path}/requests`);
  const [question] = questions;
  if (question) {
    const answers = question.questions.map(({ options }) => [options[0]?.label ?? "x"]);
    return (await api.request("POST", `${talk.path}/questions/${question.questionId}/reply`, { answers })).status;
  }
  const [permission] = permissions;
  if (!permission) return 0;
  const path = `${talk.path}/permissions/${permission.permissionId}/reply`;
  return (await api.request("POST", path, { reply: random() < 0.5 ? "once" : "reject" })).status;
};

const cancel: Act = async (api, talk, random) => {
  const queued = talk.events.flatMap((event) => (event.type === "message.updated" ? [event.data.messageId] : []));
  const messageId = queued[Math.floor(random() * queued.length)] ?? "nobody";
  return (await api.request("DELETE", `${talk.path}/messages/${messageId}`)).status;
};

const acts: readonly Act[] = [send, send, send, sendTwins, interrupt, terminate, update, reply, reply, cancel];

function generator(seed: number): () => number {
  let state = seed * 7_919;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
