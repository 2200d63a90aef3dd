import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { backgroundCalls, Conversation, type DaemonApi, essenceOf } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineConverter } from "../../src/index.ts";
import { DaemonHome } from "../daemon-process.ts";

interface Page {
  events: object[];
  hasMore: boolean;
  last: number;
  leftOut: Record<string, number>;
}

/** agent → the folders of its recordings. */
const folders = {
  claude: ["claude"],
  codex: ["codex/app-server", "codex/exec"],
  opencode: ["opencode"],
  codebuff: ["codebuff"],
  mock: ["mock"],
} as const;
const agents = Object.keys(folders) as (keyof typeof folders)[];
const pairs = agents.flatMap((from) => agents.map((to) => [from, to] as const));

/** agent → its recordings as sessions of the daemon: id → events. */
const sessions = new Map<string, Map<string, UniversalEvent[]>>();
let home: DaemonHome;
let api: DaemonApi;

beforeAll(async () => {
  home = await DaemonHome.make();
  const sample = await endedSession();
  for (const agent of agents) sessions.set(agent, await storeRecordings(agent, sample));
  ({ api } = await home.start());
}, 240_000);
afterAll(() => home.remove());

describe.each(pairs)("sessions of %s, read with ?as=%s", (from, to) => {
  it("text, calls, results and turn ends survive the way there and back", async () => {
    const stored = [...(sessions.get(from) ?? [])];
    expect(stored.length).toBeGreaterThanOrEqual(14);
    expect(stored.flatMap(([, events]) => essenceOf(events)).length).toBeGreaterThan(50);
    for (const [sessionId, events] of stored) {
      const lines = await linesOf(sessionId, to);
      const back = (await convert(to, "universal", lines.join("\n"))) as UniversalEvent[];
      const isAside = to === "mock" ? undefined : backgroundCalls([...events, ...back]);
      expect(essenceOf(back, isAside), sessionId).toEqual(essenceOf(events, isAside));
    }
  });
});

it.each(agents)(
  "a live stream with ?as=%s gives the same lines as the pages, and goes on after its last id",
  async (as) => {
    const [sessionId = ""] = sessions.get("mock")?.keys() ?? [];
    const lines = await linesOf(sessionId, as);
    const seen: string[] = [];
    let resumed: string[] | undefined;
    let lastEventId: string | undefined;
    for await (const { id, data } of await api.stream(`/sessions/${sessionId}/events/sse?as=${as}`)) {
      seen.push(data);
      if (seen.length < lines.length / 2 || id === undefined || resumed) continue;
      lastEventId = id;
      resumed = lines.slice(seen.length);
      break;
    }
    expect(seen).toEqual(lines.slice(0, seen.length));
    const rest: string[] = [];
    const headers = { "last-event-id": lastEventId ?? "" };
    for await (const { data } of await api.stream(`/sessions/${sessionId}/events/sse?as=${as}`, { headers })) {
      rest.push(data);
      if (rest.length === resumed?.length) break;
    }
    expect(rest).toEqual(resumed);
  },
);

it.each(agents)("the lines of ?as=%s are the same wherever they are cut into pages", async (as) => {
  const [sessionId = "", events = []] = [...(sessions.get("claude") ?? [])].find(([, all]) => all.length > 25) ?? [];
  const get = (offset: number, limit: number) =>
    api.get<Page>(`/sessions/${sessionId}/events?as=${as}&offset=${offset}&limit=${limit}`);
  const whole = (await get(0, 10_000)).events;
  expect(whole.length).toBeGreaterThan(3);
  for (const size of [1, 3, 7]) {
    const joined: object[] = [];
    for (let offset = 0; offset < events.length; offset += size) joined.push(...(await get(offset, size)).events);
    expect(joined).toEqual(whole);
  }
  // First from a place where nobody has stopped, then from where the page before it did.
  for (const cut of [2, 5, 11, 17, events.length - 2].filter((place) => place < events.length)) {
    const rest = (await get(cut, 10_000)).events;
    expect([...(await get(0, cut)).events, ...rest]).toEqual(whole);
    expect((await get(cut, 10_000)).events).toEqual(rest);
  }
});

it("what cannot be said is counted, and the table of exceptions says what it is", async () => {
  const [sessionId = ""] = sessions.get("codex")?.keys() ?? [];
  const { leftOut } = await api.get<Page>(`/sessions/${sessionId}/events?as=claude`);
  expect(
    leftOut[
      "session.started, session.ended, message.updated, session.rewound, session.forked, agent.changed, snapshot.skipped"
    ],
  ).toBe(2);
});

it("an agent whose lines nobody knows, and raw beside as, are refused before anything is sent", async () => {
  const [sessionId = ""] = sessions.get("mock")?.keys() ?? [];
  for (const path of ["events", "events/sse"]) {
    const url = `/sessions/${sessionId}/${path}`;
    expect(await api.request("GET", `${url}?as=nobody`)).toMatchObject({
      status: 400,
      body: { code: "unsupported_agent", agent: "nobody" },
    });
    expect(await api.request("GET", `${url}?as=constructor`)).toMatchObject({ status: 400 });
    expect(await api.request("GET", `${url}?as=claude&raw=true`)).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
    expect(await api.request("GET", `${url}?as=claude&offset=999999`)).toMatchObject({
      status: 409,
      body: { code: "cursor_ahead" },
    });
  }
});

/** All pages, small ones: a line may depend on an event of the page before. */
async function linesOf(sessionId: string, as: string): Promise<string[]> {
  const lines: string[] = [];
  for (let offset = 0; ; ) {
    const page = await api.get<Page>(`/sessions/${sessionId}/events?as=${as}&offset=${offset}&limit=40`);
    lines.push(...page.events.map((line) => JSON.stringify(line)));
    if (!page.hasMore) return lines;
    offset = page.last;
  }
}

async function convert(from: string, to: string, text: string, sessionId = "s"): Promise<unknown[]> {
  const converter = await LineConverter.open({ from, to, sessionId, directory: "/" });
  return [...converter.push(Buffer.from(text)), ...converter.end()].map((line) => JSON.parse(line));
}

/** A session that has ended, as the daemon leaves it on disk: the files of one from which others are made. */
async function endedSession(): Promise<{ sessionId: string; file: string; segment: string }> {
  const daemon = await home.start();
  const talk = await Conversation.open(daemon.api);
  await daemon.api.post(`${talk.path}/terminate`);
  await talk.leave();
  await daemon.kill("SIGTERM");
  const { sessionId } = talk;
  const folder = join(home.dataDirectory, "sessions", sessionId);
  const [segment = ""] = (await readdir(folder)).filter((name) => name.startsWith("events-"));
  return { sessionId, segment, file: await readFile(join(folder, "session.json"), "utf8") };
}

async function storeRecordings(agent: keyof typeof folders, sample: Awaited<ReturnType<typeof endedSession>>) {
  const stored = new Map<string, UniversalEvent[]>();
  for (const [index, path] of (await recordingsOf(agent)).entries()) {
    const sessionId = `${agent}-${index}`;
    const events = (await convert(agent, "universal", await saidLines(path), sessionId)) as UniversalEvent[];
    const folder = join(home.dataDirectory, "sessions", sessionId);
    await mkdir(folder);
    const { checkpoint: _, ...file } = JSON.parse(sample.file.replaceAll(sample.sessionId, sessionId));
    await writeFile(join(folder, "session.json"), JSON.stringify(file));
    const header = { format: 1, sessionId, first: 1 };
    const text = [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(join(folder, sample.segment), text);
    stored.set(sessionId, events);
  }
  return stored;
}

async function recordingsOf(agent: keyof typeof folders): Promise<string[]> {
  const all = await Promise.all(
    folders[agent].map(async (name) => {
      const folder = fileURLToPath(new URL(`../../../adapters/recordings/${name}/`, import.meta.url));
      return (await readdir(folder)).map((one) => join(folder, one, "native.jsonl"));
    }),
  );
  return all.flat();
}

/** What the agent said; the commands that led it are no part of its output. */
async function saidLines(path: string): Promise<string> {
  const inputs = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  return inputs.flatMap((input) => (JSON.parse(input) as { line?: string }).line ?? []).join("\n");
}
