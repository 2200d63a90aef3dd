import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { Problem, Session } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
beforeEach(async () => {
  home = await DaemonHome.make();
});
afterEach(() => home.remove());

it("a session whose files are removed under it acknowledges nothing more and ends; the others go on", async () => {
  const { api } = await home.start();
  for (const sessionId of ["lost", "neighbour"]) await api.post(`/sessions/${sessionId}`, { agent: "mock" });
  const lost = new Conversation(api, "lost");
  const neighbour = new Conversation(api, "neighbour");
  await lost.say("echo before");
  await rm(join(home.dataDirectory, "sessions", "lost"), { recursive: true });
  const send = () => api.request<Problem>("POST", "/sessions/lost/messages", { message: "echo after" });
  // Whichever notices first: this message cannot be written, or something of the turn before could not and the session is gone.
  expect([404, 507]).toContain((await send()).status);
  await expect.poll(async () => (await send()).body.code).toBe("session_not_found");
  expect((await neighbour.say("echo still here")).text).toBe("still here");
  const { sessions } = await api.get<{ sessions: Session[] }>("/sessions");
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["neighbour"]);
  await lost.leave();
  await neighbour.leave();
  await expect.poll(() => home.agents().length).toBe(1);
});

it("a daemon whose data directory was moved away writes neither there nor where another daemon is now", async () => {
  const old = await home.start();
  await old.api.post("/sessions/old", { agent: "mock" });
  const moved = `${home.dataDirectory}-moved`;
  await rename(home.dataDirectory, moved);
  const successor = await DaemonHome.make({ dataDirectory: home.dataDirectory });
  try {
    const { api } = await successor.start();
    const created = await old.api.request<Problem>("POST", "/sessions/mine", { agent: "mock" });
    expect(created).toMatchObject({ status: 503, body: { code: "writer_replaced" } });
    expect((await old.api.request("POST", "/sessions/old/messages", { message: "echo x" })).status).not.toBe(202);
    expect((await api.request("POST", "/sessions/mine", { agent: "mock" })).status).toBe(201);
    const { sessions } = await api.get<{ sessions: Session[] }>("/sessions");
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["mine"]);
  } finally {
    await successor.remove();
  }
});
