import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isRecord } from "@muster/core";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, onTestFinished } from "vitest";
import { installedAgent, testsOf } from "../../../../server/test/agents/installed-agent.ts";
import { makeDirectory, makeHost, openOptions } from "../../../test/host.ts";
import { Listener, texts } from "../../../test/listener.ts";
import { isAlive } from "../../../test/processes.ts";
import { openLife } from "../../channel/open-life.ts";
import type { AgentHost } from "../../host.ts";
import { opencodeConverter } from "../converter.ts";
import { OpencodeChannel } from "./channel.ts";
import { configurationOf } from "./configuration.ts";
import { OpencodeHttp } from "./http.ts";
import { type OpencodeServer, type ServerOptions, startServer } from "./server.ts";

const { test } = await testsOf("opencode");

const endpoint = { model: "scripted/m1", token: "sk-fake" };

async function start(host: AgentHost, baseUrl: string, more: Partial<ServerOptions> = {}): Promise<OpencodeServer> {
  const { path: program } = await installedAgent("opencode");
  const configuration = configurationOf(openOptions(host, { ...endpoint, baseUrl }), "/bin/bash");
  const env = {
    HOME: host.home,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_AUTH_CONTENT: JSON.stringify({ scripted: { type: "api", key: endpoint.token } }),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration),
  };
  const server = await startServer(host, { program, directory: host.home, env, ...more });
  onTestFinished(() => server.end({ graceMs: 0 }));
  return server;
}

/** A session on this server without the daemon around it. */
async function converse(server: OpencodeServer, directory = makeDirectory()): Promise<Listener> {
  const created = await server.http.ask({ method: "POST", path: "/session", directory, body: { title: "t" } });
  const nativeSessionId = isRecord(created.body) ? String(created.body.id) : "";
  const lease = { server, release: async () => {} };
  const life = await openLife({
    channel: new OpencodeChannel({ lease, session: nativeSessionId, directory }),
    converter: opencodeConverter({
      nativeSessionId,
      directory,
      providerID: "scripted",
      modelID: "m1",
      permissionMode: "default",
      mcpServers: [],
    }),
    facts: () => ({ ready: true }),
    tickMs: 500,
  });
  onTestFinished(() => life.close({ graceMs: 0 }));
  return new Listener(life);
}

test("a port that is in use is left alone and another one is taken", async () => {
  const host = makeHost();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const tried: number[] = [];
  const choosePort = async () => {
    const next = tried.length === 0 ? port : await freePort();
    tried.push(next);
    return next;
  };
  const server = await start(host, "http://127.0.0.1:9", { choosePort });
  expect(tried).toHaveLength(2);
  expect(await server.http.get("/global/health")).toMatchObject({ healthy: true });
  expect(host.logged.map(({ message }) => message)).toContain("opencode serve did not start and is tried again");
});

test("a stream that drops in the middle of a text loses nothing of it", async () => {
  const text = Array.from({ length: 120 }, (_, index) => `word${index} `).join("");
  const turns = [{ text, pace: { chars: 9, delayMs: 15 } }, { text: "Second." }];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(() => llm.close());
  let http: DroppableHttp | undefined;
  const connect = (base: string, password: string) => {
    http = new DroppableHttp(base, password);
    return http;
  };
  const life = await converse(await start(makeHost(), llm.url, { connect }));
  await life.say("talk");
  for (let heard = 0; heard < 10; heard++) await life.next("item.delta");
  http?.drop();
  expect((await life.next("turn.finished")).data).toMatchObject({ status: "completed", messageIds: ["m1"] });
  expect(texts(life.signals).at(-1)?.trimEnd()).toBe(text.trimEnd());
  http?.drop();
  expect(texts(await life.turn("more"))).toEqual(["Second."]);
});

test("a directory that somebody closes on the server ends the turns in it", async () => {
  const turns = [{ text: "word ".repeat(4_000), pace: { chars: 5, delayMs: 50 } }, { text: "Second." }];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(() => llm.close());
  const server = await start(makeHost(), llm.url);
  const directory = makeDirectory();
  const life = await converse(server, directory);
  await life.say("talk");
  await life.next("item.delta");
  await server.http.ask({ method: "POST", path: "/instance/dispose", directory });
  expect((await life.next("turn.finished")).data.status).not.toBe("completed");
  expect(texts(await life.turn("more"))).toEqual(["Second."]);
});

test("without a shell of ours the commands OpenCode runs see the password of its server", async () => {
  const turns = [{ tools: [{ name: "run_command", input: { command: "env" } }] }, { text: "Shown." }];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  onTestFinished(() => llm.close());
  const life = await converse(await start(makeHost(), llm.url));
  await life.say("show");
  const { requestKey } = (await life.next("permission.asked")).data;
  await life.send({ type: "permission", requestKey, decision: "allow" });
  await life.next("turn.finished");
  const results = life.signals.flatMap((signal) => (signal.type === "item.completed" ? signal.data.item.content : []));
  const outputs = results.flatMap((part) => (part.type === "tool_result" ? [part.output] : []));
  expect(outputs.join()).toContain("OPENCODE_SERVER_PASSWORD=");
});

const permissions = ["edit", "bash", "webfetch", "read", "some_mcp_tool"];

/** agent → what happens for each of the permissions above, in this directory */
async function rulesIn(server: OpencodeServer, directory: string): Promise<Record<string, unknown[]>> {
  const agents = await server.http.get("/agent", directory);
  const table = (Array.isArray(agents) ? agents.filter(isRecord) : []).map(({ name, permission }) => {
    const rules = Array.isArray(permission) ? permission.filter(isRecord) : [];
    const last = (one: string) => rules.filter((rule) => rule.permission === one || rule.permission === "*").at(-1);
    return [String(name), permissions.map((one) => last(one)?.action)];
  });
  return Object.fromEntries(table);
}

test("everything that changes something asks, and the agents made for looking cannot edit", async () => {
  const server = await start(makeHost(), "http://127.0.0.1:9");
  const expected = {
    build: ["ask", "ask", "ask", "allow", "ask"],
    general: ["ask", "ask", "ask", "allow", "ask"],
    plan: ["deny", "ask", "ask", "allow", "ask"],
    explore: ["deny", "ask", "ask", "allow", "ask"],
  };
  expect(await rulesIn(server, makeDirectory())).toMatchObject(expected);
  const directory = makeDirectory();
  const lax = { bash: "allow", edit: "allow", "*": "allow" };
  const own = { permission: lax, agent: { build: { permission: lax }, general: { permission: lax } } };
  writeFileSync(`${directory}/opencode.json`, JSON.stringify(own));
  expect(await rulesIn(server, directory)).toMatchObject(expected);
});

test("ending a server leaves no process of it", async () => {
  const host = makeHost();
  const server = await start(host, "http://127.0.0.1:9");
  expect(await isAlive(server.pid)).toBe(true);
  expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).not.toContain("PASSWORD");
  await server.end({});
  expect(await isAlive(server.pid)).toBe(false);
});

class DroppableHttp extends OpencodeHttp {
  drop: () => void = () => {};

  override stream(path: string, signal: AbortSignal) {
    const dropping = new AbortController();
    this.drop = () => dropping.abort(new Error("dropped"));
    return super.stream(path, AbortSignal.any([signal, dropping.signal]));
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
