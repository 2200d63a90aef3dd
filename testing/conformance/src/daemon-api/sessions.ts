import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreatedSession, type OperationId, operations, type Session } from "@muster/schema";
import { expect, it } from "vitest";
import type { DaemonApi } from "./api.ts";
import { conversationTests, converse } from "./conversation.ts";

/** Creating, listing, deleting; what the daemon tells about itself; tickets. */
export function sessionTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  it("create answers 201, the same body again 200 with the same session, another body 409", async () => {
    const path = `/sessions/c-${randomUUID()}`;
    const create = (body: object) => api().request<CreatedSession>("POST", path, body);
    const first = await create({ agent: "mock", title: "One" });
    expect(first).toMatchObject({ status: 201, body: { healthy: true, session: { state: "idle", title: "One" } } });
    const again = await create({ agent: "mock", title: "One" });
    expect(again).toMatchObject({ status: 200, body: { session: { createdAt: first.body.session.createdAt } } });
    const reordered = await create({ title: "One", agent: "mock" });
    expect(reordered.status).toBe(200);
    expect(await create({ agent: "mock", title: "Two" })).toMatchObject({
      status: 409,
      body: { code: "session_exists" },
    });
    await api().ask("DELETE", path);
  });

  it("twelve creates of one session at once make one", async () => {
    const path = `/sessions/c-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api().request<CreatedSession>("POST", path, { agent: "mock" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.session.nativeSessionId)).size).toBe(1);
    await api().ask("DELETE", path);
  });

  it("ids that differ only in case are different sessions", async () => {
    const id = randomUUID().slice(0, 8);
    const [upper, lower] = [`Case-${id}`, `case-${id}`];
    for (const sessionId of [upper, lower]) {
      await api().post(`/sessions/${sessionId}`, { agent: "mock", title: sessionId });
    }
    expect(await api().session(upper)).toMatchObject({ title: upper });
    expect(await api().session(lower)).toMatchObject({ title: lower });
    for (const sessionId of [upper, lower]) await api().ask("DELETE", `/sessions/${sessionId}`);
  });

  it("a deleted session stays deleted: reads 410, create 409, its readers end", async () => {
    const path = `/sessions/c-${randomUUID()}`;
    await api().post(path, { agent: "mock" });
    const stream = await api().stream(`${path}/events/sse`);
    await stream.next();
    expect((await api().request("DELETE", path)).status).toBe(204);
    for await (const frame of stream) expect(frame).toBeDefined();
    for (const [method, sub] of [
      ["GET", ""],
      ["GET", "/events"],
      ["GET", "/messages"],
      ["DELETE", ""],
    ] as const) {
      expect(await api().request(method, `${path}${sub}`)).toMatchObject({
        status: 410,
        body: { code: "session_deleted" },
      });
    }
    expect(await api().request("POST", path, { agent: "mock" })).toMatchObject({
      status: 409,
      body: { code: "session_deleted" },
    });
    expect(await api().request("POST", `${path}/messages`, { message: "hi" })).toMatchObject({ status: 410 });
  });

  it("deleting in the middle of a turn ends it, its queue and everybody who reads or waits", async () => {
    const path = `/sessions/c-${randomUUID()}`;
    await api().post(path, { agent: "mock" });
    const reader = await api().stream(`${path}/events/sse`);
    const turn = await api().streamMessage(path, { message: "slow 60000" });
    for await (const { data } of turn) if (data?.includes("tick")) break;
    const queued = await api().streamMessage(path, { message: "echo never" });
    expect((await api().request("DELETE", path)).status).toBe(204);
    for (const stream of [reader, queued]) for await (const frame of stream) expect(frame).toBeDefined();
    expect((await api().request("GET", `${path}/events`)).status).toBe(410);
  });

  it("the list is in the order of creation, pages add up, and states filter", async () => {
    const mark = randomUUID();
    const ids = Array.from({ length: 5 }, (_, index) => `l-${mark}-${5 - index}`);
    for (const sessionId of ids) await api().post(`/sessions/${sessionId}`, { agent: "mock" });
    await api().post(`/sessions/${ids[1]}/terminate`);
    const listed: string[] = [];
    for (let after: string | undefined; ; ) {
      const query: string = after === undefined ? "?limit=2" : `?limit=2&after=${after}`;
      const page = await api().get<{ sessions: Session[]; hasMore: boolean }>(`/sessions${query}`);
      expect(page.sessions.length).toBeLessThanOrEqual(2);
      listed.push(...page.sessions.map(({ sessionId }) => sessionId));
      after = listed.at(-1);
      if (!page.hasMore) break;
    }
    expect(listed.filter((sessionId) => sessionId.includes(mark))).toEqual(ids);
    const ended = await api().get<{ sessions: Session[] }>("/sessions?state=ended&limit=1000");
    expect(ended.sessions.map(({ sessionId }) => sessionId).filter((id) => id.includes(mark))).toEqual([ids[1]]);
    expect(await api().request("GET", "/sessions?after=nobody-here")).toMatchObject({ status: 400 });
    expect(await api().request("GET", "/sessions?state=happy")).toMatchObject({ status: 400 });
    for (const sessionId of ids) await api().ask("DELETE", `/sessions/${sessionId}`);
  });

  it("the list is of one agent and one directory, and begins with the one used last, where that is asked for", async () => {
    const directory = await mkdtemp(join(tmpdir(), "muster-list-"));
    const ids = Array.from({ length: 3 }, () => `l-${randomUUID()}`);
    for (const sessionId of ids) await api().post(`/sessions/${sessionId}`, { agent: "mock", directory });
    const list = async (more: string) => {
      const query = `?agent=mock&directory=${encodeURIComponent(directory)}&order=used${more}`;
      const { sessions } = await api().get<{ sessions: Session[] }>(`/sessions${query}`);
      return sessions.map(({ sessionId }) => sessionId);
    };
    const [first = "", second, third] = ids;
    expect(await list("")).toEqual([third, second, first]);
    // A name is a change and no use; a message is one.
    await api().request("PATCH", `/sessions/${second}`, { title: "named" });
    await api().post(`/sessions/${first}/messages`, { message: "echo used again" });
    expect(await list("&limit=1")).toEqual([first]);
    expect(await list(`&after=${first}`)).toEqual([third, second]);
    expect(await api().get("/sessions?agent=nobody")).toEqual({ sessions: [], hasMore: false });
    for (const sessionId of ids) await api().ask("DELETE", `/sessions/${sessionId}`);
    await rm(directory, { recursive: true });
  });

  it("changes made at the same moment are all kept", async () => {
    const path = `/sessions/c-${randomUUID()}`;
    await api().request("POST", path, { agent: "mock" });
    const changes = [{ title: "One" }, { model: "mock-large" }, { limits: { turnMs: 60_000 } }, { agentMode: "plan" }];
    const answers = await Promise.all(changes.map((change) => api().request("PATCH", path, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await api().get(path)).toMatchObject({ title: "One", model: "mock-large", agentMode: "plan" });
    await api().ask("DELETE", path);
  });

  it("every path is served under /v1 too", async () => {
    expect(await api().get("/v1/health")).toEqual({ status: "ok" });
    expect(await api().get("/v1/agents")).toEqual(await api().get("/agents"));
    expect(await api().get("/v1")).toEqual(await api().get("/"));
  });

  it("what the daemon tells about itself is of the schema", async () => {
    for (const [id, path] of [
      ["health", "/health"],
      ["info", "/"],
      ["openapi", "/openapi.json"],
      ["agents.list", "/agents"],
      ["agents.get", "/agents/mock"],
      ["agents.listModels", "/agents/mock/models"],
      ["agents.listModes", "/agents/mock/modes"],
      ["sessions.list", "/sessions"],
      ["credentials.list", "/credentials"],
    ] as const satisfies readonly (readonly [OperationId, string])[]) {
      operations[id].response.parse(await api().get(path));
    }
    const installed = await api().post("/agents/mock/install");
    expect(operations["agents.install"].response.parse(installed)).toMatchObject({ alreadyInstalled: true });
    expect(await api().get<string>("/metrics")).toMatch(/^muster_events_total \d+$/m);
  });

  inConversation("an empty body of a POST counts as {}", async (talk) => {
    expect((await api().request("POST", `${talk.path}/interrupt`)).status).toBe(204);
  });

  it("the agent works where it is told, and only in a directory that exists", async () => {
    await converse(api(), { directory: "/" }, async (talk) => {
      expect((await talk.say("settings")).text).toContain("directory /,");
    });
    for (const directory of ["/does/not/exist", "relative"]) {
      const path = `/sessions/c-${randomUUID()}`;
      expect(await api().request("POST", path, { agent: "mock", directory })).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
      expect((await api().request("GET", path)).status).toBe(404);
    }
  });

  it("a ticket is a key for one GET", async () => {
    const { ticket } = await api().post<{ ticket: string; expiresAt: string }>("/tickets");
    const open = (path: string) => fetch(`${api().baseUrl}${path}`);
    const isOpenToAll = (await open("/agents")).status === 200;
    expect((await open(`/agents?ticket=${ticket}`)).status).toBe(200);
    if (isOpenToAll) return;
    expect((await open(`/agents?ticket=${ticket}`)).status).toBe(401);
    expect((await open("/agents?ticket=made-up")).status).toBe(401);
    const next = await api().post<{ ticket: string }>("/tickets");
    const write = await fetch(`${api().baseUrl}/tickets?ticket=${next.ticket}`, { method: "POST" });
    expect(write.status).toBe(401);
  });
}
