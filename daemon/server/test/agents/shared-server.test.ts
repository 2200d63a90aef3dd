import { Conversation, checkInvariants } from "@muster/conformance";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterAll(async () => {
  await home.remove();
});

it("twenty sessions share one process; its death ends every turn with a cause, and the next message works", async () => {
  const { api } = daemon;
  const shared = { agentOptions: { shared: true } };
  const talks = await Promise.all(Array.from({ length: 20 }, () => Conversation.open(api, shared)));
  expect(home.agents()).toHaveLength(1);
  expect(await api.get("/agents/mock")).toMatchObject({ serverStatus: { processes: 1, sessions: 20 } });
  const texts = await Promise.all(talks.map((talk, index) => talk.say(`echo I am ${index}`)));
  expect(texts.map(({ text }) => text)).toEqual(talks.map((_, index) => `I am ${index}`));

  const sent = await Promise.all(talks.map((talk) => talk.send("slow 60000")));
  await Promise.all(talks.map((talk) => talk.until("item.delta", ({ delta }) => delta.startsWith("tick"))));
  for (const pid of home.agents()) process.kill(pid, "SIGKILL");
  const turns = await Promise.all(talks.map((talk, index) => talk.turnOf(sent[index]?.messageId ?? "")));
  expect(turns.map(({ end }) => `${end.status} ${end.cause}`)).toEqual(talks.map(() => "failed agent_exited"));

  const again = await Promise.all(talks.map((talk) => talk.say("history")));
  expect(again.map(({ text }, index) => text.includes(`I am ${index}`))).toEqual(talks.map(() => true));
  expect(home.agents()).toHaveLength(1);
  for (const talk of talks) expect(checkInvariants(await api.log(talk.sessionId))).toEqual([]);
  for (const talk of talks) await talk.finish();
});

it("sessions with different secrets never share a process", async () => {
  const tokens = ["first-token", "second-token", "first-token"];
  const talks = await Promise.all(
    tokens.map((token) => Conversation.open(daemon.api, { agentOptions: { shared: true }, token })),
  );
  const told = await Promise.all(talks.map((talk) => talk.say("env MOCK_TOKEN")));
  expect(told.map(({ text }) => text)).toEqual(tokens.map((token) => `MOCK_TOKEN=${token}`));
  for (const talk of talks) await talk.finish();
});

it("a session that stalls on a question does not hold up its neighbours", async () => {
  const shared = { agentOptions: { shared: true } };
  const [stalled, lively] = [await Conversation.open(daemon.api, shared), await Conversation.open(daemon.api, shared)];
  const { messageId } = await stalled.send("question");
  const { data } = await stalled.until("question.requested");
  expect((await lively.say("burst 2000")).end.status).toBe("completed");
  await daemon.api.post(`${stalled.path}/questions/${data.questionId}/reply`, { answers: [["Red"]] });
  expect((await stalled.turnOf(messageId)).end.status).toBe("completed");
  await stalled.finish();
  await lively.finish();
});
