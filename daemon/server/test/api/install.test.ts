import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { AgentInfo, CreatedSession, CredentialInfo, InstalledAgent } from "@muster/schema";
import { afterEach, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonHomeOptions } from "../daemon-process.ts";
import { startRegistry } from "../registry.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function daemonWith(options: DaemonHomeOptions) {
  const home = await DaemonHome.make(options);
  opened.push(() => home.remove());
  return { home, api: (await home.start()).api };
}

async function daemonWithRegistry(version: string) {
  const registry = await startRegistry(version);
  opened.push(() => registry.close());
  const args = ["--no-token", "--agent-source", "opencode=npm"];
  return { registry, ...(await daemonWith({ args, env: { npm_config_registry: registry.url } })) };
}

interface InstallFrame {
  event: string;
  data: Record<string, unknown>;
}

async function installStream(baseUrl: string, agent: string, body: object): Promise<InstallFrame[]> {
  const headers = { accept: "text/event-stream", "content-type": "application/json" };
  const init = { method: "POST", body: JSON.stringify(body), headers };
  const text = await (await fetch(`${baseUrl}/agents/${agent}/install`, init)).text();
  return [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event = "", data = ""]) => ({
    event,
    data: JSON.parse(data),
  }));
}

const offline = ["--no-token", "--agent-mirror", "http://127.0.0.1:1"];
const noRegistry = { npm_config_registry: "http://127.0.0.1:1" };

describe("POST /agents/{agent}/install", () => {
  it("ten at once download once, and the agent is listed afterwards", async () => {
    const { api, registry } = await daemonWithRegistry("1.2.3");
    expect(await api.get<AgentInfo>("/agents/opencode")).toMatchObject({ installed: false });
    const all = await Promise.all(
      Array.from({ length: 10 }, () => api.post<InstalledAgent>("/agents/opencode/install")),
    );
    expect(registry.downloads()).toBe(1);
    for (const one of all) expect(one).toEqual(all[0]);
    const { agents } = await api.get<{ agents: AgentInfo[] }>("/agents");
    expect(agents.find(({ id }) => id === "opencode")).toMatchObject({
      installed: true,
      version: "1.2.3",
      path: all[0]?.path,
      source: "npm",
      credentialsAvailable: false,
    });
    expect(await api.post("/agents/opencode/install")).toEqual({ ...all[0], alreadyInstalled: true });
  });

  it("without a version it is the tested one where there is one; the newest is told to be untested", async () => {
    const { api } = await daemonWithRegistry("1.18.33");
    expect(await api.post("/agents/opencode/install")).toMatchObject({ version: "1.18.33", tested: true });
    const { api: other } = await daemonWithRegistry("1.99.9");
    const newest = { version: "1.99.9", tested: false };
    expect(await other.post("/agents/opencode/install", { version: "latest" })).toMatchObject(newest);
  });

  it("as a stream it tells its progress and ends with what was installed", async () => {
    const { api } = await daemonWithRegistry("1.2.3");
    const seen = await installStream(api.baseUrl, "opencode", {});
    const stages = seen.flatMap(({ event, data }) => (event === "progress" ? [data.stage] : []));
    expect([...new Set(stages)]).toEqual(["resolving", "downloading", "verifying", "extracting", "done"]);
    expect(seen.at(-1)).toMatchObject({ event: "installed", data: { version: "1.2.3", alreadyInstalled: false } });
  });

  it("offline it is 424 with agent, version, each source and its cause, also as a stream", async () => {
    const { api } = await daemonWith({ args: offline, env: noRegistry });
    const problem = {
      status: 424,
      code: "install_failed",
      agent: "claude",
      version: "2.99.9",
      sources: [
        { source: "vendor", cause: expect.stringContaining("ECONNREFUSED") },
        { source: "npm", cause: expect.stringContaining("ECONNREFUSED") },
      ],
    };
    const answer = await api.request("POST", "/agents/claude/install", { version: "2.99.9" });
    expect(answer).toMatchObject({ status: 424, body: problem });
    const last = (await installStream(api.baseUrl, "claude", { version: "2.99.9" })).at(-1);
    expect(last).toMatchObject({ event: "problem", data: problem });
  });

  it("what is no agent and what is no version is 400", async () => {
    const { api } = await daemonWith({ args: offline });
    expect(await api.request("POST", "/agents/nobody/install", {})).toMatchObject({
      body: { code: "unsupported_agent" },
    });
    expect(await api.request("POST", "/agents/claude/install", { version: "../x" })).toMatchObject({
      body: { code: "invalid_request" },
    });
  });
});

it("an agent on PATH is listed with its version and used", async () => {
  const home = await DaemonHome.make({ args: offline });
  opened.push(() => home.remove());
  const path = join(home.path, "claude");
  await writeFile(path, "#!/bin/sh\necho '2.0.1 (Claude Code)'\n");
  await chmod(path, 0o755);
  const { api } = await daemonWith({ args: offline, env: { PATH: `${home.path}:${process.env.PATH}` } });
  const found = { version: "2.0.1", path, source: "PATH" };
  expect(await api.get("/agents/claude")).toMatchObject({ installed: true, ...found });
  expect(await api.post("/agents/claude/install")).toMatchObject({ ...found, alreadyInstalled: true });
});

it("GET /credentials tells where credentials are, never what they are", async () => {
  const secret = "sk-ant-do-not-show";
  const { api, home } = await daemonWith({ env: { ANTHROPIC_API_KEY: secret } });
  await writeFile(join(home.path, ".claude.json"), "not JSON");
  const list = await api.get<{ credentials: CredentialInfo[] }>("/credentials");
  expect(list.credentials).toContainEqual({
    agent: "claude",
    provider: "anthropic",
    found: true,
    kind: "api_key",
    source: "environment ANTHROPIC_API_KEY",
    note: "skipped ~/.claude.json: is not a JSON object",
  });
  expect(JSON.stringify(list)).not.toContain(secret);
  expect(await api.get("/agents/claude")).toMatchObject({ credentialsAvailable: true });
});

it("a key that was found in a file is kept out of diagnostics too", async () => {
  const secret = "planted-in-a-login-file-52cd";
  const home = await DaemonHome.make();
  opened.push(() => home.remove());
  await mkdir(join(home.path, ".codebuff"));
  await writeFile(join(home.path, ".codebuff", "auth.json"), JSON.stringify({ token: secret }));
  const loose = join(home.path, "loose-tongue.cjs");
  await writeFile(loose, `process.stdout.write("not JSON: ${secret}\\n");`);
  const { api } = await home.start();
  const talk = await Conversation.open(api, { env: { NODE_OPTIONS: `--require=${loose}` } });
  expect((await talk.until("agent.unparsed")).data.raw).toBe("not JSON: [redacted]");
  await talk.leave();
});

describe("validateToken", () => {
  async function startModelList(status: number) {
    const server = createServer((_, response) => response.writeHead(status).end("{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    opened.push(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** An agent that cannot be installed: a token that is accepted leads to the next failure. */
  const noClaude = { args: ["--no-token", "--agent-source", "claude=path:/nonexistent/claude"] };

  it("a token the provider refuses makes a session that is not healthy, with token_error", async () => {
    const { api, home } = await daemonWith(noClaude);
    const body = {
      agent: "claude",
      token: "sk-ant-refused-token",
      baseUrl: await startModelList(401),
      validateToken: true,
    };
    const answer = await api.request<CreatedSession>("POST", "/sessions/s", body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      healthy: false,
      validated: true,
      error: { type: "token_error" },
      session: { sessionId: "s", healthy: false, error: { type: "token_error" } },
    });
    expect(home.agents()).toEqual([]);
    const events = await api.log("s");
    expect(events.at(-1)).toMatchObject({ type: "error", data: { code: "auth_failed" } });
    expect(JSON.stringify([answer.body, events])).not.toContain(body.token);
  });

  it("an accepted token is told, and the next failure comes as it would without", async () => {
    const { api } = await daemonWith(noClaude);
    const body = { agent: "claude", token: "sk-ant-accepted", baseUrl: await startModelList(200), validateToken: true };
    expect(await api.post("/sessions/s", body)).toMatchObject({
      healthy: false,
      validated: true,
      error: { type: "install_failed", details: { agent: "claude", sources: [{ source: "file" }] } },
    });
  });

  it("where nobody can be asked the answer says so", async () => {
    const { api } = await daemonWith({});
    const answer = await api.post("/sessions/s", { agent: "mock", token: "anything", validateToken: true });
    expect(answer).toMatchObject({ healthy: true, validated: false });
  });
});
