import type { SentMessage, UniversalMessage } from "@muster/schema";
import { expect, it } from "vitest";
import type { DaemonApi } from "./api.ts";
import { type Conversation, conversationTests, converse } from "./conversation.ts";

/** How messages reach the agent: queued, steered, refused, taken back, sent twice. */
export function deliveryTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  inConversation("messages are given one at a time, in the order they came", async (talk) => {
    const sent: SentMessage[] = [];
    for (const text of ["slow 300", "echo two", "echo three"]) sent.push(await talk.send(text));
    expect(sent.map(({ sequence }) => sequence)).toEqual(
      [...sent.map(({ sequence }) => sequence)].sort((a, b) => a - b),
    );
    const turns = await Promise.all(sent.map(({ messageId }) => talk.turnOf(messageId)));
    expect(turns.map(({ end }) => end.turnId)).toEqual(["turn_1", "turn_2", "turn_3"]);
    expect(turns.map(({ end }) => end.status)).toEqual(["completed", "completed", "completed"]);
    expect(await talk.view()).toMatchObject({ queued: 0 });
  });

  inConversation(
    "a queued message can be taken back, a given one cannot, an unknown one is not found",
    async (talk) => {
      const first = await openTurn(talk);
      const { messageId } = await talk.send("echo never");
      expect(await talk.view()).toMatchObject({ queued: 1, state: "running" });
      const cancel = (id: string) => api().request("DELETE", `${talk.path}/messages/${id}`);
      expect((await cancel(messageId)).status).toBe(204);
      expect(await cancel(messageId)).toMatchObject({ status: 409, body: { code: "already_given" } });
      expect(await cancel(first)).toMatchObject({ status: 409, body: { code: "already_given" } });
      expect(await cancel("nobody")).toMatchObject({ status: 404, body: { code: "message_not_found" } });
      expect((await talk.fateOf(messageId)).status).toBe("cancelled");
      await api().post(`${talk.path}/interrupt`);
    },
  );

  inConversation("delivery reject is refused while a turn is open and taken when none is", async (talk) => {
    const first = await openTurn(talk);
    const refused = await api().request("POST", `${talk.path}/messages`, { message: "echo x", delivery: "reject" });
    expect(refused).toMatchObject({ status: 409, body: { code: "session_busy", sessionId: talk.sessionId } });
    await api().post(`${talk.path}/interrupt`);
    await talk.turnOf(first);
    expect((await talk.say("echo x", { delivery: "reject" })).text).toBe("x");
    const { messages } = await api().get<{ messages: { role: string }[] }>(`${talk.path}/messages`);
    expect(messages.filter(({ role }) => role === "user")).toHaveLength(2);
  });

  inConversation("steer joins the open turn", async (talk) => {
    const { messageId: slow } = await talk.send("slow 1500");
    await talk.until("item.delta");
    const { messageId } = await talk.send("be quick", { delivery: "steer" });
    const { data } = await talk.until(
      "message.updated",
      (known) => known.messageId === messageId && known.status !== "queued",
    );
    const turn = await talk.turnOf(slow);
    expect(data).toMatchObject({ status: "joined", turnId: turn.end.turnId });
    expect(turn.text).toContain("[you added: be quick]");
    const users = turn.of("item.completed").filter(({ item }) => item.role === "user");
    expect(users.map(({ item }) => item.content)).toEqual([
      [{ type: "text", text: "slow 1500" }],
      [{ type: "text", text: "be quick" }],
    ]);
  });

  inConversation("steer without an open turn is a message like any other", async (talk) => {
    expect((await talk.say("echo calm", { delivery: "steer" })).text).toBe("calm");
  });

  inConversation("steering that the agent does not take before its turn ends is failed, never lost", async (talk) => {
    const { messageId: deaf } = await talk.send("ignore-sigterm");
    await talk.until("item.completed", ({ item }) => item.role === "assistant");
    const { messageId } = await talk.send("are you there", { delivery: "steer" });
    await api().post(`${talk.path}/terminate`);
    await talk.turnOf(deaf);
    expect((await talk.fateOf(messageId)).status).toBe("failed");
  });

  inConversation(
    "the same message id again gives the same answer and one turn; with other content it conflicts",
    async (talk) => {
      const send = (message: string) =>
        api().request<SentMessage>("POST", `${talk.path}/messages`, { message, messageId: "m-1" });
      const [one, two, three] = await Promise.all([send("echo once"), send("echo once"), send("echo once")]);
      expect([one?.status, two?.status, three?.status]).toEqual([202, 202, 202]);
      expect(two?.body).toEqual(one?.body);
      expect(three?.body).toEqual(one?.body);
      await talk.turnOf("m-1");
      expect((await send("echo once")).body).toEqual(one?.body);
      expect(await send("echo twice")).toMatchObject({ status: 409, body: { code: "message_conflict" } });
      await talk.say("echo done");
      expect(talk.events.filter(({ type }) => type === "turn.started")).toHaveLength(2);
    },
  );

  inConversation(
    "twins that meet a sleeping agent are still one message",
    async (talk) => {
      for (let round = 1, after = 0; round <= 4; round++) {
        await talk.until("session.updated", ({ agentState }) => agentState === "asleep", after);
        const messageId = `twin-${round}`;
        const sent = await Promise.all(Array.from({ length: 10 }, () => talk.send("echo once", { messageId })));
        expect(new Set(sent.map(({ sequence }) => sequence)).size).toBe(1);
        after = (await talk.turnOf(messageId)).events.at(-1)?.sequence ?? after;
      }
    },
    { limits: { agentIdleMs: 100 } },
  );

  inConversation("an Idempotency-Key is a message id", async (talk) => {
    const send = (message: string) =>
      api().request<SentMessage>("POST", `${talk.path}/messages`, { message }, { "idempotency-key": "key-7" });
    const first = await send("echo once");
    expect(first).toMatchObject({ status: 202, body: { messageId: "key-7" } });
    expect((await send("echo once")).body).toEqual(first.body);
    expect(await send("echo other")).toMatchObject({ status: 409 });
    await talk.turnOf("key-7");
  });

  it.each(["constructor", "toString", "1", "0"])("%s is a message id like any other", async (messageId) => {
    await converse(api(), {}, async (talk) => {
      expect((await talk.say("echo fine", { messageId })).text).toBe("fine");
    });
  });

  inConversation("interrupt ends the turn and keeps the queue, unless told to cancel it", async (talk) => {
    const first = await openTurn(talk);
    const kept = await talk.send("echo kept");
    expect((await api().request("POST", `${talk.path}/interrupt`)).status).toBe(204);
    expect((await talk.turnOf(first)).end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
    expect((await talk.turnOf(kept.messageId)).text).toBe("kept");

    const second = await openTurn(talk);
    const dropped = [await talk.send("echo a"), await talk.send("echo b")];
    expect((await api().request("POST", `${talk.path}/interrupt`, { queue: "cancel" })).status).toBe(204);
    expect((await talk.turnOf(second)).end.status).toBe("interrupted");
    for (const { messageId } of dropped) {
      expect((await talk.fateOf(messageId)).status).toBe("cancelled");
    }
    expect((await talk.say("echo after")).text).toBe("after");
  });

  inConversation("interrupt without a turn changes nothing", async (talk) => {
    await talk.say("echo a");
    const { lastSequence } = await talk.view();
    expect((await api().request("POST", `${talk.path}/interrupt`, {})).status).toBe(204);
    expect(await talk.view()).toMatchObject({ lastSequence, state: "idle" });
  });

  inConversation("an interrupt right after the message ends its turn", async (talk) => {
    for (let round = 0; round < 5; round++) {
      const { messageId } = await talk.send("slow 20000");
      await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
      await api().post(`${talk.path}/interrupt`);
      expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted" });
    }
  });

  inConversation(
    "terminate cancels the queue and ends turn and life; the next message starts a new life",
    async (talk) => {
      await talk.say("echo remember me");
      const first = await openTurn(talk);
      const waiting = await talk.send("echo never");
      expect((await api().request("POST", `${talk.path}/terminate`)).status).toBe(204);
      expect((await talk.turnOf(first)).end).toMatchObject({ status: "interrupted", cause: "terminated" });
      expect((await talk.fateOf(waiting.messageId)).status).toBe("cancelled");
      const ended = await talk.until("session.ended");
      expect(ended.data).toMatchObject({ reason: "terminated", terminatedBy: "client" });
      expect(await talk.view()).toMatchObject({ state: "ended", queued: 0 });
      expect((await talk.say("history")).text).toContain("remember me");
      expect((await talk.until("session.started", ({ resumed }) => resumed)).sequence).toBeGreaterThan(ended.sequence);
    },
  );

  inConversation("attachments reach the agent as files, and a missing one is refused", async (talk) => {
    const data = Buffer.from("some notes").toString("base64");
    const turn = await talk.say("echo see file", {
      attachments: [{ data, mime: "text/plain", filename: "notes.txt" }],
    });
    const status = turn.of("item.completed").find(({ item }) => item.kind === "status")?.item.content[0];
    expect(status).toMatchObject({ label: "file received", detail: expect.stringContaining("text/plain") });
    const bad = (attachment: object) =>
      api().request("POST", `${talk.path}/messages`, { message: "x", attachments: [attachment] });
    expect((await bad({ path: "/does/not/exist", mime: "text/plain" })).status).toBe(400);
    expect((await bad({ path: "relative", mime: "text/plain" })).status).toBe(400);
    expect((await bad({ path: "/etc/hosts", data, mime: "text/plain" })).status).toBe(400);
    expect((await bad({ mime: "text/plain" })).status).toBe(400);
  });

  inConversation("streamMessage streams exactly one turn and ends", async (talk) => {
    await talk.say("echo before");
    const stream = await api().streamMessage(talk.path, { message: "echo streamed", messageId: "st" });
    const types: string[] = [];
    for await (const { data } of stream) if (data !== undefined) types.push(JSON.parse(data).type);
    expect(types.slice(0, 3)).toEqual(["message.updated", "message.updated", "turn.started"]);
    expect(types.at(-1)).toBe("turn.ended");
    expect(types.filter((type) => type === "turn.ended")).toHaveLength(1);
  });

  inConversation("streamMessage of a message that is taken back ends with its fate", async (talk) => {
    await openTurn(talk);
    const stream = await api().streamMessage(talk.path, { message: "echo never", messageId: "gone" });
    await talk.until("message.updated", ({ messageId }) => messageId === "gone");
    await api().ask("DELETE", `${talk.path}/messages/gone`);
    const seen: { type: string; data: { status?: string } }[] = [];
    for await (const { data } of stream) if (data !== undefined) seen.push(JSON.parse(data));
    expect(seen.at(-1)).toMatchObject({ type: "message.updated", data: { messageId: "gone", status: "cancelled" } });
    await api().post(`${talk.path}/interrupt`);
  });

  inConversation("a client that leaves its stream changes nothing", async (talk) => {
    const gone = new AbortController();
    const stream = await api().streamMessage(talk.path, { message: "slow 600", messageId: "left" }, gone.signal);
    await stream.next();
    gone.abort();
    expect((await talk.turnOf("left")).end.status).toBe("completed");
  });

  inConversation("the message view folds the log", async (talk) => {
    await talk.say("unparsed", { messageId: "m-view" });
    const { messages } = await api().get<{ messages: UniversalMessage[] }>(`${talk.path}/messages`);
    expect(messages.map(({ role }) => role)).toEqual(["user", "unparsed", "unparsed", "assistant"]);
    expect(messages[0]).toMatchObject({ messageId: "m-view", status: "completed", parts: [{ text: "unparsed" }] });
    expect(messages[1]).toMatchObject({ raw: "this line is not JSON", error: expect.any(String) });
  });
}

/** A turn that stays open until it is interrupted. */
async function openTurn(talk: Conversation): Promise<string> {
  const { messageId } = await talk.send("slow 60000");
  await talk.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
  return messageId;
}
