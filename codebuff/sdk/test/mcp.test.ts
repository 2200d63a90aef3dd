import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { McpServer } from "@muster/codebuff-protocol";
import type { CallContext } from "@muster/codebuff-workspace";
import { describe, expect, it, onTestFinished } from "vitest";
import { Trust } from "../src/load/trust.ts";
import { McpServers } from "../src/mcp/mcp-servers.ts";
import { freshFolder } from "./fresh-folder.ts";
import { isRunning } from "./is-running.ts";
import { shape, testServer } from "./programs/mcp-tools.mjs";

const program = fileURLToPath(new URL("./programs/mcp-stdio.mjs", import.meta.url));
const stdio: McpServer = { command: process.execPath, args: ["$PROGRAM"] };

function openServers(limits?: { connectMs?: number; callMs?: number }): McpServers {
  const servers = new McpServers({ cwd: process.cwd(), env: { ...process.env, PROGRAM: program } }, limits);
  onTestFinished(() => servers.close());
  return servers;
}

async function offersOf(servers: McpServers, config: McpServer, toolNames: string[] = []) {
  const warnings: string[] = [];
  const offers = await servers.offers({ srv: config }, toolNames, { warn: (message) => warnings.push(message) });
  const call = (name: string, input: unknown = {}, signal = new AbortController().signal) => {
    const context = { signal } as CallContext;
    return offers[`srv__${name}`]?.tool.execute(input, context);
  };
  return { offers, call, warnings };
}

const value = (text: unknown) => [{ type: "json", value: text }];

describe("over stdio", () => {
  it("offers every tool with its schema as the server wrote it, byte for byte", async () => {
    const { offers, call } = await offersOf(openServers(), stdio);
    expect(JSON.stringify(offers.srv__echo?.definition.inputSchema)).toBe(JSON.stringify(shape));
    // Its `readOnlyHint` is the word of a stranger.
    expect(offers.srv__echo?.tool.effect).toBe("writes");
    expect(offers.srv__echo?.definition.description).toMatch(/^\[The MCP server srv says, not the user:\] /);
    const trusted = await offersOf(openServers(), { ...stdio, trustReadOnlyHint: true });
    expect(trusted.offers.srv__echo?.tool.effect).toBe("reads");
    expect(trusted.offers.srv__picture?.tool.effect).toBe("writes");
    expect(offers.srv__picture?.tool.effect).toBe("writes");
    expect(await call("echo", { shape: "round" })).toEqual(value('{"shape":"round"}'));
    expect(await call("picture")).toEqual([{ type: "media", data: "aGk=", mediaType: "image/png" }]);
    expect(await call("fail")).toEqual(value({ errorMessage: "it went wrong" }));
  });

  it("narrows to the tools that are named", async () => {
    const { offers } = await offersOf(openServers(), stdio, ["srv/echo", "read_files"]);
    expect(Object.keys(offers)).toEqual(["srv__echo"]);
  });

  it("a server that crashes is a tool error and is started anew at the next call", async () => {
    const { call } = await offersOf(openServers(), stdio);
    const before = await call("pid");
    expect(await call("crash")).toMatchObject(value({ errorMessage: expect.stringContaining("srv") }));
    const after = await call("pid");
    expect(after).not.toEqual(before);
  });

  it("a server that hangs is a tool error after its limit and is started anew", async () => {
    const { call } = await offersOf(openServers({ callMs: 400 }), stdio);
    const before = await call("pid");
    expect(await call("hang")).toMatchObject(value({ errorMessage: expect.stringMatching(/timed out/i) }));
    expect(await call("pid")).not.toEqual(before);
  });

  it("an abort ends the wait for an answer", async () => {
    const { call } = await offersOf(openServers(), stdio);
    const aborter = new AbortController();
    const hanging = call("hang", {}, aborter.signal);
    setTimeout(() => aborter.abort(), 50);
    expect(await hanging).toEqual(value({ errorMessage: "Interrupted by the user" }));
  });

  it("an answer of 10 MB is shortened, not refused", async () => {
    const { call } = await offersOf(openServers(), stdio);
    const [part] = (await call("flood")) as { value: string }[];
    expect(part?.value.length).toBeLessThan(250_000);
    expect(part?.value).toContain("characters left out");
  });

  it("a server that cannot be started offers nothing and says why", async () => {
    const missing = await offersOf(openServers(), { command: "no-such-program" });
    expect([missing.offers, missing.warnings]).toMatchObject([{}, [expect.stringContaining("srv")]]);
    const silent = await offersOf(openServers({ connectMs: 300 }), { command: "sleep", args: ["60"] });
    expect(silent.warnings).toHaveLength(1);
    const broken = await offersOf(openServers(), {
      command: process.execPath,
      args: ["-e", "console.error('no config'); process.exit(1)"],
    });
    expect(broken.warnings[0]).toContain("no config");
  });

  it("gets the variables it needs and those its configuration names, and no key of ours", async () => {
    const env = { ...process.env, PROGRAM: program, GITHUB_TOKEN: "t", DATABASE_URL: "postgres://u:p@h", OWN_KEY: "k" };
    const servers = new McpServers({ cwd: process.cwd(), env });
    onTestFinished(() => servers.close());
    const { call } = await offersOf(servers, { ...stdio, env: { NAMED: "is $OWN_KEY" } });
    const [{ value: pid }] = (await call("pid")) as [{ value: string }];
    const given = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
    expect(given).toContain("NAMED=is k");
    expect(given.some((one) => one.startsWith("PATH="))).toBe(true);
    expect(given.filter((one) => /^(?:GITHUB_TOKEN|DATABASE_URL|OWN_KEY|ANTHROPIC_API_KEY)=/.test(one))).toEqual([]);
  });

  it("what it says of its tools is taken once; other words have to be accepted", async () => {
    const home = await freshFolder("home");
    const asked: string[] = [];
    const trust = (answer: boolean) =>
      new Trust({
        home,
        root: home,
        decide: ({ items }) => {
          asked.push(...items.map(({ kind, content }) => `${kind} ${content}`));
          return answer;
        },
      });
    expect(await trust(false).acceptsTools("srv", "first")).toBe(true);
    expect(await trust(false).acceptsTools("srv", "first")).toBe(true);
    expect(asked).toEqual([]);
    expect(await trust(false).acceptsTools("srv", "second")).toBe(false);
    expect(await trust(true).acceptsTools("srv", "second")).toBe(true);
    expect(await trust(false).acceptsTools("srv", "second")).toBe(true);
    expect(asked).toEqual(["mcp tools second", "mcp tools second"]);
    const warnings: string[] = [];
    const offers = await openServers().offers({ srv: stdio }, [], {
      warn: (message) => warnings.push(message),
      approve: async () => false,
    });
    expect([offers, warnings]).toEqual([{}, [expect.stringContaining("otherwise than before")]]);
  });

  it("ends with its owner, and with it what the server itself started", async () => {
    const servers = openServers();
    const inner = `const { spawn } = require("node:child_process"); spawn("sleep", ["300"]); import(process.env.PROGRAM);`;
    const { call } = await offersOf(servers, {
      command: process.execPath,
      args: ["-e", inner],
      env: { PROGRAM: "$PROGRAM" },
    });
    const [{ value: pid }] = (await call("pid")) as [{ value: string }];
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
    expect(children).toHaveLength(1);
    await servers.close();
    // Killed is not gone: the kernel takes its time on a busy machine.
    for (const one of [pid, ...children]) await expect.poll(() => isRunning(one)).toBe(false);
  });
});

it("over streamable HTTP", async () => {
  const handler = createMcpHandler(() => testServer());
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method,
        headers: request.headers as Record<string, string>,
        body: chunks.length === 0 ? undefined : Buffer.concat(chunks),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
    response.end();
  });
  const { offers, call } = await offersOf(openServers({ callMs: 1_000 }), { type: "http", url });
  expect(JSON.stringify(offers.srv__echo?.definition.inputSchema)).toBe(JSON.stringify(shape));
  expect(await call("echo", { shape: "flat" })).toEqual(value('{"shape":"flat"}'));
  expect(await call("hang")).toMatchObject(value({ errorMessage: expect.any(String) }));
  expect(await call("echo", { shape: "again" })).toEqual(value('{"shape":"again"}'));
});

it("over SSE", async () => {
  let stream: ServerResponse | undefined;
  const url = await serve(async (request, response) => {
    if (request.method === "GET") {
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /message\n\n");
      return;
    }
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    response.writeHead(202).end();
    const message = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string; arguments?: unknown };
    };
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: shape }] },
      "tools/call": { content: [{ type: "text", text: JSON.stringify(message.params?.arguments) }] },
    };
    if (message.id === undefined) return;
    const answer = { jsonrpc: "2.0", id: message.id, result: results[message.method] };
    stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
  });
  const { call } = await offersOf(openServers(), { type: "sse", url });
  expect(await call("echo", { shape: "old" })).toEqual(value('{"shape":"old"}'));
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
