import { Conversation, checkInvariants, converse } from "@muster/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess, startTimeOf } from "../daemon-process.ts";

const quick = { turnIdleMs: 600, toolIdleMs: 600 };
/** For agents that say something in the end: a busy machine may take its time. */
const patient = { turnIdleMs: 4_000, toolIdleMs: 4_000 };
/** The protocol says one second; a busy machine gets more. */
const slackMs = 10_000;

describe.each([
  ["a process of its own", {}],
  ["one of many on a shared process", { shared: true }],
])("an agent that misbehaves as %s", (_, agentOptions) => {
  let home: DaemonHome;
  let daemon: DaemonProcess;
  beforeAll(async () => {
    home = await DaemonHome.make();
    daemon = await home.start();
  });
  afterAll(async () => {
    await home.remove();
  });
  const withAgent = (limits: object, script: (talk: Conversation) => Promise<void>) =>
    converse(daemon.api, { limits, agentOptions }, script);

  it("hang: the turn fails with agent_timeout, and the next message works", async () => {
    await withAgent(quick, async (talk) => {
      const { end } = await talk.say("hang");
      expect(["failed", "uncertain"]).toContain(end.status);
      expect(end.cause).toBe("agent_timeout");
      expect(end.durationMs).toBeLessThan(quick.turnIdleMs + slackMs);
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("hang-tool: the turn fails with tool_timeout, later than silence of the model would", async () => {
    // The first word must come within turnIdleMs, also on a busy machine.
    await withAgent({ turnIdleMs: 3_000, toolIdleMs: 4_500 }, async (talk) => {
      const { end } = await talk.say("hang-tool");
      expect(end).toMatchObject({ status: "failed", cause: "tool_timeout" });
      expect(end.durationMs).toBeGreaterThan(4_000);
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("ignore-sigterm: the turn fails with agent_timeout, and the next message works", async () => {
    await withAgent(quick, async (talk) => {
      const { end } = await talk.say("ignore-sigterm");
      expect(end).toMatchObject({ status: "failed", cause: "agent_timeout" });
      expect(end.durationMs).toBeLessThan(quick.turnIdleMs + slackMs);
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("slow: the turn fails with turn_timeout when it takes longer than turnMs", async () => {
    await withAgent({ turnMs: 700 }, async (talk) => {
      expect((await talk.say("slow 60000")).end).toMatchObject({ status: "failed", cause: "turn_timeout" });
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("retry: an announced silence is no hang", async () => {
    await withAgent(patient, async (talk) => {
      expect((await talk.say("retry 6000")).end).toMatchObject({ status: "completed" });
    });
  });

  it("crash: the turn fails with agent_exited", async () => {
    await withAgent({}, async (talk) => {
      expect((await talk.say("crash 9")).end).toMatchObject({ status: "failed", cause: "agent_exited" });
      expect((await talk.until("session.ended")).data).toMatchObject({ reason: "error", exitCode: 9 });
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("close-stdin: the message that is not heard ends with a cause", async () => {
    await withAgent(quick, async (talk) => {
      expect((await talk.say("close-stdin")).text).toBe("I no longer listen.");
      const { end } = await talk.say("echo is anybody there");
      expect(["failed", "uncertain"]).toContain(end.status);
      expect(["agent_timeout", "agent_exited"]).toContain(end.cause);
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("long-line: 64 MB become one agent.unparsed with a head, and the turn goes on", async () => {
    await withAgent({}, async (talk) => {
      const turn = await talk.say(`long-line ${64 * 1024 * 1024}`);
      expect(turn.end.status).toBe("completed");
      expect(turn.text).toContain("I said a line of 67108864 bytes.");
      expect(JSON.stringify(turn.of("agent.unparsed")).length).toBeLessThan(1024 * 1024);
    });
  });

  it("half-line: what was said is kept and the turn ends with agent_exited", async () => {
    await withAgent({}, async (talk) => {
      const { messageId } = await talk.send("half-line");
      const { end } = await talk.turnOf(messageId);
      expect(["failed", "uncertain"]).toContain(end.status);
      expect(end.cause).toBe("agent_exited");
      expect((await talk.until("session.ended")).data).toMatchObject({ reason: "error", exitCode: 0 });
    });
  });

  it("killed from outside: the turn fails with agent_exited and the signal is told", async () => {
    await withAgent({}, async (talk) => {
      const { messageId } = await talk.send("slow 60000");
      await talk.until("item.delta");
      for (const pid of home.agents()) process.kill(pid, "SIGKILL");
      expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "agent_exited" });
      expect((await talk.until("session.ended")).data).toMatchObject({ signal: "SIGKILL" });
    });
  });

  it("nothing is left running", async () => {
    await expect.poll(() => home.agents(), { timeout: 30_000 }).toEqual([]);
  });
});

describe("an agent with a process of its own", () => {
  let home: DaemonHome;
  let daemon: DaemonProcess;
  beforeAll(async () => {
    home = await DaemonHome.make();
    daemon = await home.start();
  });
  afterAll(async () => {
    await home.remove();
  });

  it("lines that cannot be handed on as text are told, with their turn", async () => {
    await converse(daemon.api, {}, async (talk) => {
      const long = await talk.say(`long-line ${64 * 1024 * 1024}`);
      expect(long.of("agent.unparsed")).toHaveLength(1);
      const bytes = await talk.say("invalid-utf8");
      expect(bytes).toMatchObject({ end: { status: "completed" }, text: "I said bytes that are not text." });
      expect(bytes.of("agent.unparsed")).toHaveLength(1);
      await talk.say("half-line");
      const half = await talk.until("agent.unparsed", ({ raw }) => String(raw).startsWith('{"ev":"block_open"'));
      expect(half.data.error).toEqual(expect.any(String));
    });
    expect(daemon.peakMemory()).toBeLessThan(250 * 1024 * 1024);
  });

  it("ends what the agent started, also in a session of its own, when its life ends", async () => {
    const talk = await Conversation.open(daemon.api);
    const { text } = await talk.say("orphan");
    const pid = Number(/pid (\d+)/.exec(text)?.[1]);
    expect(startTimeOf(pid)).toEqual(expect.any(String));
    await daemon.api.post(`${talk.path}/terminate`);
    expect(startTimeOf(pid)).toBeUndefined();
    await talk.finish();
  });

  it("ends an agent that ignores SIGTERM at terminate, delete and sleep", async () => {
    for (const end of ["terminate", "delete"]) {
      const talk = await Conversation.open(daemon.api);
      const { messageId } = await talk.send("ignore-sigterm");
      await talk.until("item.completed", ({ item }) => item.role === "assistant");
      if (end === "terminate") {
        await daemon.api.post(`${talk.path}/terminate`);
        expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted", cause: "terminated" });
        await talk.finish();
      } else {
        await daemon.api.ask("DELETE", talk.path);
        await talk.over();
      }
      expect(home.agents()).toEqual([]);
    }
  });

  it("an agent that ignores an interrupt is replaced within its patience", async () => {
    await converse(daemon.api, {}, async (talk) => {
      const { messageId } = await talk.send("ignore-sigterm");
      await talk.until("item.completed", ({ item }) => item.role === "assistant");
      await daemon.api.post(`${talk.path}/interrupt`);
      expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted", cause: "agent_unresponsive" });
      expect((await talk.say("echo back")).text).toBe("back");
    });
  });

  it("an agent that ends as soon as it has started ends every message, and no turn begins without it", async () => {
    const { sessionId } = (
      await daemon.api.post<{ session: { sessionId: string } }>("/sessions", {
        agent: "mock",
        agentOptions: { start: "leave" },
      })
    ).session;
    for (let round = 0; round < 10; round++) {
      const body = JSON.stringify({ message: "echo is anybody there", messageId: `m-${round}` });
      const headers = { "content-type": "application/json" };
      // The stream ends with its message.
      for await (const _ of await daemon.api.stream(`/sessions/${sessionId}/messages/stream`, {
        method: "POST",
        headers,
        body,
      }));
    }
    const log = await daemon.api.log(sessionId);
    expect(checkInvariants(log)).toEqual([]);
    const last = new Map(
      log.flatMap(({ type, data }) => (type === "message.updated" ? [[data.messageId, data.status]] : [])),
    );
    expect([...last.values()].filter((status) => status !== "failed" && status !== "given")).toEqual([]);
    expect(last.size).toBe(10);
  });
});
