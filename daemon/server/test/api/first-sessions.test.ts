import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "@muster/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
let client: Client;
let url: string;
const token = "a-token-for-clients";
beforeAll(async () => {
  home = await DaemonHome.make({
    args: ["--agent-source", "claude=path:/no/such/program", "--metrics-token", "for-the-monitor"],
    env: { SANDBOX_DAEMON_TOKEN: token },
  });
  url = (await home.start()).api.baseUrl;
  client = createClient({ endpoint: url, token });
});
afterAll(() => home.remove());

describe("creating a session", () => {
  it("POST /sessions makes an id", async () => {
    const ids = [await client.sessions.create({ agent: "mock" }), await client.sessions.create({ agent: "mock" })].map(
      ({ session }) => session.sessionId,
    );
    expect(ids).toEqual([expect.stringMatching(/^ses_[0-9a-f]{10}$/), expect.stringMatching(/^ses_[0-9a-f]{10}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
    const init = { method: "POST", body: '{"agent":"mock"}' };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v1/sessions`, { ...init, headers });
    expect([response.status, await response.json()]).toMatchObject([201, { healthy: true }]);
  });

  it("one whose first start failed can be created again with other settings; its log goes on", async () => {
    const first = await client.sessions.create({ sessionId: "again", agent: "claude", title: "one" });
    // Without a key nothing is installed.
    expect(first).toMatchObject({ healthy: false, error: { type: "token_error" } });
    await client.sessions.update({ sessionId: "again", model: "wrong" });
    const { healthy, session } = await client.sessions.create({ sessionId: "again", agent: "mock", title: "two" });
    expect([healthy, session]).toMatchObject([true, { agent: "mock", title: "two", healthy: true }]);
    expect(session.model).not.toBe("wrong");
    expect(session.lastSequence).toBeGreaterThan(first.session.lastSequence);
    const { events } = await client.sessions.getEvents({ sessionId: "again" });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    await expect(client.sessions.create({ sessionId: "again", agent: "mock", title: "three" })).rejects.toMatchObject({
      code: "session_exists",
    });
  });

  it("a deleted id says how it can be used again, and can", async () => {
    await client.sessions.create({ sessionId: "reused", agent: "mock" });
    await client.sessions.delete({ sessionId: "reused" });
    await expect(client.sessions.create({ sessionId: "reused", agent: "mock" })).rejects.toMatchObject({
      code: "session_deleted",
      status: 409,
      message: expect.stringContaining("reuse=true"),
    });
    expect(await client.sessions.create({ sessionId: "reused", agent: "mock", reuse: true })).toMatchObject({
      healthy: true,
    });
    expect(await client.sessions.get({ sessionId: "reused" })).toMatchObject({ agent: "mock" });
  });
});

it("the OpenAPI document names servers and both ways to create a session", async () => {
  const document = (await client.openapi()) as unknown as {
    servers: { url: string }[];
    paths: Record<string, { post?: { operationId: string; parameters: { name: string }[] } }>;
  };
  expect(document.servers.map((server) => server.url)).toContain("http://127.0.0.1:2468");
  expect(document.paths["/sessions"]?.post?.parameters.map(({ name }) => name)).toEqual(["reuse"]);
  expect(document.paths["/sessions/{sessionId}"]?.post?.operationId).toBe("sessions.create");
});

describe("/metrics", () => {
  const scrape = (path: string, bearer: string) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });

  it("has the content type a Prometheus scraper asks for", async () => {
    const response = await scrape("/metrics", token);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("can be read with a token that reads nothing else", async () => {
    const statuses = async (bearer: string) =>
      await Promise.all(
        ["/metrics", "/v1/metrics", "/sessions"].map(async (path) => (await scrape(path, bearer)).status),
      );
    expect(await statuses("for-the-monitor")).toEqual([200, 200, 403]);
    expect(await statuses("something-else")).toEqual([401, 401, 401]);
  });
});

it("an address that holds a key is refused and stands nowhere", async () => {
  const baseUrl = "https://me:hunter2-in-the-url@model.example";
  const refused = client.sessions.create({ sessionId: "keyed", agent: "claude", baseUrl });
  const failure = await refused.then(String, (error: { code: string; message: string }) => error);
  expect(failure).toMatchObject({ code: "invalid_request", message: expect.stringContaining("give that as token") });
  expect(JSON.stringify(failure)).not.toContain("hunter2");
  await expect(client.sessions.get({ sessionId: "keyed" })).rejects.toMatchObject({ code: "session_not_found" });
});

it("uninstall removes what the daemon has installed, and refuses while it is at work", async () => {
  const versions = join(home.dataDirectory, "agents", "codex");
  for (const version of ["0.1.0", "0.2.0"]) {
    await mkdir(join(versions, version), { recursive: true });
    await writeFile(join(versions, version, "install.json"), "{}");
  }
  expect(await client.agents.uninstall({ agent: "codex", version: "0.1.0" })).toEqual({ removed: ["0.1.0"] });
  expect(await client.agents.uninstall({ agent: "codex" })).toEqual({ removed: ["0.2.0"] });
  expect(await client.agents.uninstall({ agent: "codex" })).toEqual({ removed: [] });
  await expect(client.agents.uninstall({ agent: "codex", version: "../.." })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await client.sessions.create({ sessionId: "busy", agent: "mock" });
  await expect(client.agents.uninstall({ agent: "mock" })).rejects.toMatchObject({ code: "agent_in_use", status: 409 });
});
