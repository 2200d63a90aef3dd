import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, jsonPieces, type Kit, startKit } from "./kit.ts";
import { messagesStream, protocols, startUpstream, type Upstream } from "./upstream.ts";

let folder: string;
let kit: Kit | undefined;
const upstreams: Upstream[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "routes-"));
});
afterEach(async () => {
  await kit?.close();
  kit = undefined;
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
  await rm(folder, { recursive: true });
});

async function provider(answer?: Parameters<typeof startUpstream>[0]): Promise<Upstream> {
  const started = await startUpstream(answer ?? ((_, response) => response.end(messagesStream())));
  upstreams.push(started);
  return started;
}

async function kitWith(yaml: string, options: Parameters<typeof startKit>[0] = {}): Promise<Kit> {
  const routesFile = join(folder, "routes.yaml");
  await writeFile(routesFile, yaml);
  kit = await startKit({ routesFile, ...options });
  kit.sessions.add("s1");
  return kit;
}

async function askAs(started: Kit, asked: Parameters<Kit["access"]>[0] = {}, model = "claude-sonnet-4-5") {
  const { baseUrl, token } = started.access(asked);
  const pieces = jsonPieces({ ...protocols.messages.body, model });
  return ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token }, pieces });
}

const found = { token: "sk-found" };

describe("The way of a request", () => {
  it("is the session's own address, else a route, else the environment, else what was found; each with its key", async () => {
    const [own, route, env, last] = await Promise.all([provider(), provider(), provider(), provider()]);
    const started = await kitWith(
      `routes:\n  - { provider: anthropic, model: claude-sonnet-*, url: "${route?.url}", key: { env: ROUTE_KEY }, headers: { X-Team: blue } }\n`,
      { env: { ROUTE_KEY: "sk-route", ANTHROPIC_BASE_URL: env?.url } },
    );
    await askAs(started, { own: { baseUrl: own?.url, token: "sk-own" }, found });
    await askAs(started, { found });
    await askAs(started, { own: { token: "sk-own" }, found });
    await askAs(started, { found: { ...found, baseUrl: last?.url } }, "other-model");
    const keysOf = (upstream: Upstream | undefined) => upstream?.seen.map(({ headers }) => headers["x-api-key"]);
    expect([own, route, env, last].map(keysOf)).toEqual([["sk-own"], ["sk-route", "sk-own"], ["sk-found"], []]);
    expect(route?.seen[0]?.headers["x-team"]).toBe("blue");
    await started.close();
    kit = await startKit();
    kit.sessions.add("s1");
    await askAs(kit, { found: { ...found, baseUrl: last?.url } });
    expect(keysOf(last)).toEqual(["sk-found"]);
  });

  it("of a session that chose a route by name is that route, which nobody else gets", async () => {
    const [named, usual] = [await provider(), await provider()];
    const started = await kitWith(
      `routes:\n  - { name: eu, provider: anthropic, url: "${named.url}" }\n  - { provider: anthropic, url: "${usual.url}" }\n`,
    );
    await askAs(started, { route: "eu", found });
    await askAs(started, { found });
    expect([named.seen.length, usual.seen.length]).toEqual([1, 1]);
    expect(() => started.access({ route: "us" })).toThrow("There is no route us; there are eu");
  });

  it("by --route goes before the file", async () => {
    const [word, file] = [await provider(), await provider()];
    await writeFile(join(folder, "key"), "sk-of-file\n");
    const started = await kitWith(`routes:\n  - { provider: anthropic, url: "${file.url}" }\n`, {
      routes: [`anthropic:claude-*=${word.url} key=file:${join(folder, "key")} header=x-team:red`],
    });
    await askAs(started, { found });
    await askAs(started, { found }, "other");
    expect([word.seen[0]?.headers["x-api-key"], word.seen[0]?.headers["x-team"]]).toEqual(["sk-of-file", "red"]);
    expect(file.seen).toHaveLength(1);
  });

  it("goes to the fallback while no connection comes about, and never after the provider was reached", async () => {
    const [gone, second, broken] = [
      await provider(),
      await provider(),
      await provider((_, response) => response.destroy()),
    ];
    await gone.close();
    const started = await kitWith(
      [
        "routes:",
        `  - { provider: anthropic, model: a, url: "${gone.url}", fallback: "${second.url}" }`,
        `  - { provider: anthropic, model: b, url: "${gone.url}", fallback: [ { url: "${gone.url}" }, { url: "${second.url}", key: { env: SECOND } } ] }`,
        `  - { provider: anthropic, model: c, url: "${broken.url}", fallback: "${second.url}" }`,
      ].join("\n"),
      { env: { SECOND: "sk-second" } },
    );
    const statuses = [];
    for (const model of ["a", "b", "c"]) statuses.push((await askAs(started, { found }, model)).status);
    expect(statuses).toEqual([200, 200, 502]);
    expect(second.seen.map(({ headers }) => headers["x-api-key"])).toEqual(["sk-found", "sk-second"]);
    expect(broken.seen).toHaveLength(1);
  });
});

describe("A key command", () => {
  it("runs when needed, is kept until a 401, and then runs once for all that were refused", async () => {
    const upstream = await provider((request, response) => {
      response.statusCode = request.headers["x-api-key"] === "sk-key-1" && upstream.seen.length > 2 ? 401 : 200;
      response.end(messagesStream());
    });
    const keyCommand = `n=$(cat ${folder}/n 2>/dev/null || echo 0); n=$((n+1)); echo $n > ${folder}/n; echo sk-key-$n; test "$MUSTER_PROVIDER" = anthropic`;
    kit = await startKit({ keyCommand, env: { PATH: process.env.PATH, ANTHROPIC_BASE_URL: upstream.url } });
    kit.sessions.add("s1");
    for (let count = 0; count < 2; count++) await askAs(kit, { found: {} });
    expect(await readFile(join(folder, "n"), "utf8")).toBe("1\n");
    const started = kit;
    const answers = await Promise.all([1, 2, 3].map(() => askAs(started, { found: {} })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readFile(join(folder, "n"), "utf8")).toBe("2\n");
    expect(kit.sessions.settlements()).toHaveLength(5);
  });

  it("that has no other key leaves the provider's 401 as it is", async () => {
    const upstream = await provider((_, response) => response.writeHead(401).end("no"));
    kit = await startKit({
      keyCommand: "echo sk-same",
      env: { PATH: process.env.PATH, ANTHROPIC_BASE_URL: upstream.url },
    });
    kit.sessions.add("s1");
    const answer = await askAs(kit, { found: {} });
    expect([answer.status, String(answer.body), upstream.seen.length]).toEqual([401, "no", 1]);
  });

  it("that fails is told in words, without its output", async () => {
    const upstream = await provider();
    kit = await startKit({
      keyCommand: "echo sk-half; exit 3",
      env: { PATH: process.env.PATH, ANTHROPIC_BASE_URL: upstream.url },
    });
    kit.sessions.add("s1");
    const answer = await askAs(kit, { found });
    expect([answer.status, JSON.parse(String(answer.body)).error.message]).toEqual([
      401,
      "The key command for anthropic ended with code 3",
    ]);
    expect(upstream.seen).toEqual([]);
  });
});

it("A vendor is not asked without a key", async () => {
  kit = await startKit();
  kit.sessions.add("s1");
  const answer = await askAs(kit);
  expect([answer.status, JSON.parse(String(answer.body)).error.message]).toEqual([
    401,
    "The daemon has no key for anthropic: give the session a token, or name one in routes.yaml",
  ]);
});

describe("routes.yaml", () => {
  it.each([
    ["routes: 1", /:1: routes must be a list$/],
    ["- a", /:1: the file must have routes: or prices: at its top$/],
    ["routs: []", /:1: routs is not known; known are routes, prices$/],
    ["routes:\n  - provider: a", /:2: routes\[1\].url is missing$/],
    ["routes:\n  - { provider: a, url: 'http://x' }\n  - { url: 'http://x' }", /:3: routes\[2\].provider is missing$/],
    ["routes:\n  - provider: a\n    url: ftp://x", /:3: routes\[1\].url must be an http or https URL$/],
    ["routes:\n  - provider: a\n    url: http://u:p@x", /:3: routes\[1\].url must not hold a password; use key:$/],
    ["routes:\n  - provider: a\n    url: http://x\n    key: sk-1", /:4: routes\[1\].key must have fields$/],
    [
      "routes:\n  - provider: a\n    url: http://x\n    key: { env: A, file: b }",
      /:4: routes\[1\].key needs one of env, file and command$/,
    ],
    [
      "routes:\n  - provider: a\n    url: http://x\n    headers: { 'a b': c }",
      /:4: routes\[1\].headers.a b is no name of a header$/,
    ],
    [
      "routes:\n  - provider: a\n    url: http://x\n    fallback: [ { url: no } ]",
      /:4: routes\[1\].fallback\[1\].url must be an http or https URL$/,
    ],
    [
      "routes:\n  - provider: a\n    url: http://x\n    modle: y",
      /:4: routes\[1\].modle is not known; known are name, provider, model, url, key, headers, fallback$/,
    ],
    ["prices:\n  m: { input: 1 }", /:2: prices.m needs output: dollars for a million tokens$/],
    [
      "prices:\n  m: { input: 1, output: cheap }",
      /:2: prices.m.output must be dollars for a million tokens, from 0 to 100000$/,
    ],
    ["routes: [", /:1: .+$/],
  ])("%j is one line that names the place, and the gateway does not start", async (yaml, line) => {
    await expect(kitWith(yaml)).rejects.toThrow(line);
  });

  it.each([
    ["", "no provider"],
    ["anthropic", "no provider"],
    ["anthropic=nowhere", "url must be an http or https URL"],
    ["anthropic=http://x key=vault:y", "key.vault is not known"],
  ])("--route %j says what is wrong and what the form is", async (word, problem) => {
    const started = startKit({ routes: [word] });
    await expect(started).rejects.toThrow(problem);
    await expect(started).rejects.toThrow("the form is provider[:model]=url");
  });

  it("is read again when it changes; a wrong one is told and the old one stays", async () => {
    const [first, second] = [await provider(), await provider()];
    const started = await kitWith(`routes:\n  - { provider: anthropic, url: "${first.url}" }\n`);
    const file = join(folder, "routes.yaml");
    await askAs(started, { found });
    await writeFile(file, "routes:\n  - oh: no\n");
    expect(await started.logs("stay as they were")).toContain(`${file}:2: routes[1].oh is not known`);
    await askAs(started, { found });
    expect(first.seen).toHaveLength(2);
    await writeFile(file, `routes:\n  - { provider: anthropic, url: "${second.url}" }\n`);
    await started.logs("the routes were read");
    await askAs(started, { found });
    expect([first.seen.length, second.seen.length]).toEqual([2, 1]);
    await writeFile(file, "routes: 1");
    expect(await started.gateway.reload()).toEqual({ problem: expect.stringContaining("routes must be a list") });
  });
});

describe("HTTP_PROXY", () => {
  it("is the way to a provider that is not on loopback: absolute addresses for http, and NO_PROXY exempts", async () => {
    const proxy = await provider((request, response) =>
      response.end(request.url.startsWith("http://") ? messagesStream() : "?"),
    );
    const { port } = new URL(proxy.url);
    const env = {
      HTTP_PROXY: `http://me:pass@127.0.0.1:${port}`,
      NO_PROXY: "exempt.invalid",
      ANTHROPIC_BASE_URL: "http://model.invalid",
    };
    kit = await startKit({ env });
    kit.sessions.add("s1");
    expect((await askAs(kit, { found })).status).toBe(200);
    expect(proxy.seen[0]).toMatchObject({
      url: "http://model.invalid/v1/messages",
      headers: { host: "model.invalid", "proxy-authorization": `Basic ${Buffer.from("me:pass").toString("base64")}` },
    });
    expect((await askAs(kit, { own: { baseUrl: "http://exempt.invalid", token: "sk" } })).status).toBe(502);
    const local = await provider();
    expect((await askAs(kit, { own: { baseUrl: local.url, token: "sk" } })).status).toBe(200);
    expect([proxy.seen.length, local.seen.length]).toEqual([1, 1]);
  });

  it("is asked by CONNECT for a secure provider, and what it refuses is told", async () => {
    const asked: string[] = [];
    const proxy = createServer().listen(0, "127.0.0.1");
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.method} ${request.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    kit = await startKit({ env: { HTTPS_PROXY: `127.0.0.1:${port}`, ANTHROPIC_BASE_URL: "https://model.invalid" } });
    kit.sessions.add("s1");
    const answer = await askAs(kit, { found });
    expect([answer.status, String(answer.body)]).toEqual([
      502,
      expect.stringContaining("answered 403 when asked for model.invalid:443"),
    ]);
    expect(asked).toEqual(["CONNECT model.invalid:443"]);
    proxy.close();
  });
});
