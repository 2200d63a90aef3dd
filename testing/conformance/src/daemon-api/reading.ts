import type { Frame } from "@muster/client";
import { type UniversalEvent, UniversalMessage } from "@muster/schema";
import { expect, it } from "vitest";
import { checkInvariants } from "../check-invariants.ts";
import type { DaemonApi } from "./api.ts";
import { type Conversation, conversationTests, converse } from "./conversation.ts";

/** Pages, streams and offsets: every reader sees the same log. */
export function readingTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  inConversation("pages add up to the log, whatever their size", async (talk) => {
    await talk.say("burst 300");
    const whole = await api().log(talk.sessionId);
    expect(whole.length).toBeGreaterThan(300);
    for (const limit of [1_000, 97]) expect(await api().log(talk.sessionId, limit)).toEqual(whole);
    const page = (query: string) =>
      api().get<{ events: UniversalEvent[]; hasMore: boolean }>(`${talk.path}/events?${query}`);
    expect(await page(`offset=${whole.length}`)).toEqual({ events: [], hasMore: false });
    expect(await page("limit=1")).toEqual({ events: [whole[0]], hasMore: true });
    expect((await page("offset=2&limit=2")).events.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  inConversation("deltas=false leaves out deltas and nothing else, in pages and streams", async (talk) => {
    await talk.say("burst 300");
    await talk.say("tool");
    const whole = await api().log(talk.sessionId);
    const without = whole.filter(({ type }) => type !== "item.delta");
    const { events } = await api().get<{ events: UniversalEvent[] }>(`${talk.path}/events?deltas=false`);
    expect(events).toEqual(without);
    expect(checkInvariants(events, { filtered: true })).toEqual([]);
    expect(await pagesWithoutDeltas(api(), talk.path)).toEqual(without);
    expect(await take(api(), `${talk.path}/events/sse?deltas=false`, without.length)).toEqual(without);
  });

  inConversation("a stream begins after its offset; Last-Event-ID wins over it; ids are sequences", async (talk) => {
    await talk.say("echo a b c");
    const whole = await api().log(talk.sessionId);
    const sse = `${talk.path}/events/sse`;
    expect(await take(api(), `${sse}?offset=3`, whole.length - 3)).toEqual(whole.slice(3));
    const resumed = await take(api(), `${sse}?offset=3`, whole.length - 5, { "last-event-id": "5" });
    expect(resumed).toEqual(whole.slice(5));
    const stream = await api().stream(sse);
    const { value } = await stream.next();
    expect((value as Frame).id).toBe("1");
    await stream.return(undefined);
  });

  inConversation("a cursor beyond the end is refused", async (talk) => {
    const { lastSequence } = await talk.view();
    for (const path of ["events", "events/sse"]) {
      const ahead = await api().request("GET", `${talk.path}/${path}?offset=${lastSequence + 1_000}`);
      expect(ahead).toMatchObject({ status: 409, body: { code: "cursor_ahead" } });
    }
    const bad = await api().request("GET", `${talk.path}/events/sse`, undefined, { "last-event-id": "yesterday" });
    expect(bad).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    for (const query of ["offset=-1", "offset=x", "limit=0", "limit=10001", "deltas=perhaps", "colour=red"]) {
      expect(await api().request("GET", `${talk.path}/events?${query}`)).toMatchObject({ status: 400 });
    }
  });

  inConversation("raw=true adds the agent's own message, null where there is none", async (talk) => {
    await talk.say("unparsed");
    const { events } = await api().get<{ events: UniversalEvent[] }>(`${talk.path}/events?raw=true`);
    expect(events.every((event) => "raw" in event)).toBe(true);
    expect(events.find(({ type }) => type === "session.started")?.raw).toBeNull();
    expect(events.find(({ type }) => type === "agent.unparsed")?.raw).toBe("this line is not JSON");
    expect(events.find(({ type }) => type === "item.delta")?.raw).toMatchObject({ ev: "block_more" });
    const streamed = await take(api(), `${talk.path}/events/sse?raw=true`, events.length);
    expect(streamed).toEqual(events);
    const [plain] = await api().log(talk.sessionId);
    expect(plain).not.toHaveProperty("raw");
  });

  inConversation("a stream stays open over turns and lives", async (talk) => {
    await talk.say("echo a");
    await api().post(`${talk.path}/terminate`);
    await talk.say("echo b");
    expect(talk.events.filter(({ type }) => type === "session.started")).toHaveLength(2);
  });

  it("events.stream brings several sessions on one connection and resumes by its ids", async () => {
    await converse(api(), {}, (one) =>
      converse(api(), {}, async (two) => {
        await one.say("echo early");
        const leave = new AbortController();
        const path = `/events/sse?sessions=${one.sessionId},${two.sessionId}`;
        const stream = await api().stream(path, { signal: leave.signal });
        await Promise.all([one.say("echo one"), two.say("echo two")]);
        const ended = (frame: Frame) => frame.data.includes('"type":"turn.ended"');
        const frames = await takeUntil(stream, ended, 2);
        leave.abort();
        const events = frames.map(({ data }) => JSON.parse(data ?? "") as UniversalEvent);
        const twoLog = await api().log(two.sessionId);
        expect(events.filter(({ sessionId }) => sessionId === two.sessionId)).toEqual(
          twoLog.slice(-events.filter(({ sessionId }) => sessionId === two.sessionId).length),
        );
        await resumesWithoutLoss(api(), path, frames, [one, two]);
      }),
    );
  });

  inConversation("events.stream without names brings state changes and requests, no text", async (talk) => {
    const leave = new AbortController();
    const stream = await api().stream("/events/sse", { signal: leave.signal });
    await talk.say("echo hello");
    const isEnd = ({ data }: Frame) => data.includes(talk.sessionId) && data.includes('"turn.ended"');
    const frames = await takeUntil(stream, isEnd, 1);
    leave.abort();
    const mine = frames.filter(({ id }) => id?.startsWith(`${talk.sessionId}:`));
    const types = mine.map(({ data }) => (JSON.parse(data ?? "") as UniversalEvent).type);
    expect(types).toEqual(["message.updated", "message.updated", "turn.started", "turn.ended"]);
  });

  it("events.stream refuses names it does not know and positions that are none", async () => {
    expect(await api().request("GET", "/events/sse?sessions=nobody-here")).toMatchObject({
      status: 404,
      body: { code: "session_not_found" },
    });
    await converse(api(), {}, async (talk) => {
      expect(await api().request("GET", `/events/sse?sessions=${talk.sessionId}:yesterday`)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
      expect(await api().request("GET", `/events/sse?sessions=${talk.sessionId}:999999`)).toMatchObject({
        status: 409,
      });
    });
  });

  inConversation("the message view is of the schema for every kind of item", async (talk) => {
    for (const prompt of ["reasoning", "tool", "file", "plan", "image", "subagent", "status", "error"])
      await talk.say(prompt);
    const { messages } = await api().get<{ messages: unknown[] }>(`${talk.path}/messages`);
    for (const message of messages) UniversalMessage.parse(message);
    expect(messages.length).toBeGreaterThan(16);
  });
}

/** Small pages, so that some of them lie wholly among what is left out. */
async function pagesWithoutDeltas(api: DaemonApi, path: string): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for (;;) {
    const query = `deltas=false&limit=2&offset=${events.at(-1)?.sequence ?? 0}`;
    const page = await api.get<{ events: UniversalEvent[]; hasMore: boolean }>(`${path}/events?${query}`);
    events.push(...page.events);
    if (!page.hasMore) return events;
    expect(page.events).toHaveLength(2);
  }
}

async function take(
  api: DaemonApi,
  path: string,
  count: number,
  headers: Record<string, string> = {},
): Promise<UniversalEvent[]> {
  const frames = await takeUntil(await api.stream(path, { headers }), () => true, count);
  return frames.map(({ data }) => JSON.parse(data ?? "") as UniversalEvent);
}

/** Frames up to and including the n-th that matches. */
async function takeUntil(stream: AsyncGenerator<Frame>, matches: (frame: Frame) => boolean, times: number) {
  const frames: Frame[] = [];
  let left = times;
  for await (const frame of stream) {
    frames.push(frame);
    if (matches(frame)) left--;
    if (left === 0) break;
  }
  return frames;
}

async function resumesWithoutLoss(api: DaemonApi, path: string, frames: Frame[], talks: Conversation[]): Promise<void> {
  const middle = frames[Math.floor(frames.length / 2)];
  const rest = frames.slice(Math.floor(frames.length / 2) + 1);
  const stream = await api.stream(path, { headers: { "last-event-id": middle?.id ?? "" } });
  const again = await takeUntil(stream, () => true, rest.length);
  for (const { sessionId } of talks) {
    const of = (list: Frame[]) =>
      list.map(({ data }) => JSON.parse(data ?? "")).filter((event) => event.sessionId === sessionId);
    expect(of(again)).toEqual(of(rest));
  }
}
