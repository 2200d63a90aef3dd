import { existsSync } from "node:fs";
import { Conversation, checkInvariants } from "@muster/conformance";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

it("SIGTERM ends turns, readers and agents within seconds; what was queued is given after the restart", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    const stubborn = await Conversation.open(first.api);
    const asking = await Conversation.open(first.api);
    const watcher = await first.api.stream("/events/sse");
    await talk.send("slow 60000", { messageId: "open" });
    await talk.until("item.delta");
    for (const messageId of ["second", "third"]) await talk.send(`echo ${messageId}`, { messageId });
    await stubborn.send("ignore-sigterm");
    await stubborn.until("item.completed", ({ item }) => item.role === "assistant");
    await asking.send("question");
    await asking.until("question.requested");

    const asked = Date.now();
    const watched = ended(watcher);
    expect(await first.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(Date.now() - asked).toBeLessThan(10_000);
    await Promise.all([talk.over(), stubborn.over(), asking.over(), watched]);
    expect(home.agents()).toEqual([]);
    for (const reader of [talk, stubborn, asking]) {
      const end = await reader.until("turn.ended");
      expect(end.data).toMatchObject({ status: "interrupted", cause: "daemon_stopped" });
    }
    expect((await asking.until("question.resolved")).data).toMatchObject({ status: "cancelled" });

    const second = await home.start();
    const again = new Conversation(second.api, talk.sessionId);
    expect((await again.turnOf("second")).text).toBe("second");
    expect((await again.turnOf("third")).text).toBe("third");
    expect(again.events.slice(0, talk.events.length)).toEqual(talk.events);
    await again.finish();
    for (const { sessionId } of [stubborn, asking]) {
      expect(checkInvariants(await second.api.log(sessionId))).toEqual([]);
      expect(await second.api.session(sessionId)).toMatchObject({ state: "asleep" });
    }
  } finally {
    await home.remove();
  }
});

it("a daemon that was killed closes at its next start what was open, and never repeats a message", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    const asking = await Conversation.open(first.api);
    const silent = await Conversation.open(first.api);
    await talk.send("slow 60000", { messageId: "given" });
    await talk.until("item.delta");
    await talk.send("echo later", { messageId: "queued" });
    await talk.send("steered", { messageId: "steered", delivery: "steer" });
    await talk.until("message.updated", ({ status }) => status === "joined");
    await asking.send("permission make");
    await asking.until("permission.requested");
    await silent.send("hang", { messageId: "unheard" });
    await silent.until("turn.started");
    await first.kill("SIGKILL");

    const { api } = await home.start();
    const again = new Conversation(api, talk.sessionId);
    expect((await again.turnOf("given")).end).toMatchObject({
      status: "interrupted",
      cause: "daemon_restarted",
      workMayHaveContinued: true,
    });
    expect((await again.turnOf("queued")).text).toBe("later");
    expect(again.events.slice(0, talk.events.length)).toEqual(talk.events);
    await again.finish();
    const asked = new Conversation(api, asking.sessionId);
    expect((await asked.until("permission.resolved")).data).toMatchObject({ decision: "cancelled", by: "daemon" });
    await asked.finish();
    const unheard = new Conversation(api, silent.sessionId);
    expect((await unheard.turnOf("unheard")).end).toMatchObject({ status: "uncertain", cause: "daemon_restarted" });
    expect(await unheard.view()).toMatchObject({ queued: 0 });
    await unheard.finish();
  } finally {
    await home.remove();
  }
});

it("a second signal does not wait", async () => {
  const home = await DaemonHome.make();
  try {
    const daemon = await home.start();
    await daemon.api.post("/sessions/s", { agent: "mock" });
    void daemon.kill("SIGTERM");
    const { code, signal } = await daemon.kill("SIGINT");
    expect(signal).toBeNull();
    expect([0, 128 + 2, 128 + 15]).toContain(code);
  } finally {
    await home.remove();
  }
});

it.each(["SIGTERM", "SIGINT", "SIGQUIT"] as const)("a second %s leaves no agent and no lock", async (signal) => {
  const home = await DaemonHome.make();
  try {
    const daemon = await home.start();
    const stubborn = await Conversation.open(daemon.api);
    await stubborn.send("ignore-sigterm");
    await stubborn.until("item.completed", ({ item }) => item.role === "assistant");
    expect(home.agents()).not.toEqual([]);
    void daemon.kill("SIGTERM");
    await daemon.api.request("GET", "/health").catch(() => undefined);
    await daemon.kill(signal);
    expect(home.agents()).toEqual([]);
    await stubborn.leave();
    const again = await home.start();
    expect(await again.kill(signal)).toEqual({ code: 0, signal: null });
  } finally {
    await home.remove();
  }
});

it.runIf(process.platform === "linux" && existsSync("/usr/bin/setpriv"))(
  "SIGKILL of the daemon ends its agents at once",
  async () => {
    const home = await DaemonHome.make();
    try {
      const daemon = await home.start();
      const talk = await Conversation.open(daemon.api);
      await talk.send("slow 60000");
      await talk.until("item.delta");
      expect(home.agents()).not.toEqual([]);
      await daemon.kill("SIGKILL");
      await expect.poll(() => home.agents(), { timeout: 30_000 }).toEqual([]);
      await talk.leave();
    } finally {
      await home.remove();
    }
  },
);

/** How a stream ended: by itself, or with its connection. */
async function ended(stream: AsyncGenerator<unknown>): Promise<"ended" | "broken"> {
  try {
    for await (const _ of stream);
    return "ended";
  } catch {
    return "broken";
  }
}
