import { createHash } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { isLong } from "@muster/chaos";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { chatPath } from "../../src/completions/chat-route.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { frame, type Reply, shortAnswer, twoCents, usageFrame, words } from "../provider.ts";
import { chatBody, type Person, startTestServer, type TestServer, unitsOf } from "../test-server.ts";
import { forgedKeys, moneyFields, oddTexts, wireRequests } from "./requests.ts";

let reply: Reply = shortAnswer;
let server: TestServer;
let ann: Person;
let eve: Person;
let annRun: string;
let eveRun: string;
beforeAll(async () => {
  const times = { bodyMs: 2_000, lastWordsMs: 100 };
  server = await startTestServer({ reply: (request, response) => reply(request, response), times });
  ann = await server.person("ann@example.com", 10_000);
  eve = await server.person("eve@example.com", 10_000);
  [annRun, eveRun] = [await server.run(ann), await server.run(eve)];
});
afterAll(() => server.close());
afterEach(async () => {
  reply = shortAnswer;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
  for (const { id } of [ann, eve]) expect(await unitsOf(server.database, id)).toMatchObject({ held: 0 });
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const routes = () => [
  ...createApp(server.server.service).routes.filter(({ method }) => method !== "ALL"),
  { method: "POST", path: chatPath },
];
const filled = (path: string, id = annRun) => path.replaceAll(/:\w+/g, id);

/** What is wrong with an answer of 4xx; `isOpen`: it may be a good one too. */
function faultOf(status: number, type: string | null | undefined, text: string, isOpen = false): string | undefined {
  if (status < 400) return isOpen ? undefined : `${status}: ${text}`;
  if (status >= 500 && status !== 501) return `${status}: ${text}`;
  if (type?.startsWith("text/html")) return undefined;
  if (!type?.startsWith("application/json")) return `${status} without the form of an error: ${type} ${text}`;
  // Read from the connection itself, a body may stand between the lengths of its chunks.
  const { message } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as { message?: unknown };
  return typeof message === "string" && message !== "" ? undefined : `${status} without a message: ${text}`;
}

async function faultIn(response: Response, isOpen = false): Promise<string | undefined> {
  return faultOf(response.status, response.headers.get("content-type"), await response.text(), isOpen);
}

const tables = [
  "user",
  "session",
  "credit_account",
  "credit_grant",
  "credit_entry",
  "agent_run",
  "agent_step",
] as const;
async function everything(): Promise<string> {
  const { db } = server.database;
  const names = [...tables, "agent_config", "feedback"] as const;
  return JSON.stringify(await Promise.all(names.map((table) => db.selectFrom(table).selectAll().execute())));
}

/** Everything that comes back until the server closes. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    // What was said before the connection broke counts.
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

it("bytes that are no request, or two, get one answer in the form of an error and do nothing", async () => {
  const before = await everything();
  const wrong: string[] = [];
  const requests = wireRequests(ann.key);
  expect(requests.length).toBeGreaterThan(80);
  for (const [title, bytes] of requests) {
    const answers = (await exchange(bytes)).split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean);
    const [head = "", text = ""] = answers[0]?.split("\r\n\r\n") ?? [];
    const type = /^content-type: (.*)$/im.exec(head)?.[1];
    const status = Number(head.slice(9, 12));
    const fault =
      answers.length === 1 ? (status === 505 ? undefined : faultOf(status, type, text)) : `${answers.length} answers`;
    if (fault !== undefined) wrong.push(`${title}: ${fault}`);
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toBe(before);
});

it("bytes that are no request, sent into an answer that has begun, end it and put no other answer into it", async () => {
  let provider: ServerResponse | undefined;
  const closed = new Promise<void>((resolve) => {
    reply = (_request, response) => {
      provider = response;
      response.on("close", resolve).writeHead(200, { "content-type": "text/event-stream" });
      response.write(words("Hel"));
    };
  });
  const body = JSON.stringify(chatBody(annRun));
  const head = `POST ${chatPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ann.key}\r\ncontent-length: ${body.length}`;
  let text = "";
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(`${head}\r\n\r\n${body}`));
  const ended = new Promise<void>((resolve) => socket.on("error", () => {}).on("close", () => resolve()));
  socket.setEncoding("utf8").on("data", (part: string) => {
    if (!text.includes("Hel") && (text + part).includes("Hel")) socket.write("\u0000\r\n\r\n");
    text += part;
  });
  await ended;
  expect(text.match(/HTTP\/1\.1/g)).toEqual(["HTTP/1.1"]);
  await closed;
  expect(provider?.writableFinished).toBe(false);
});

it("requests refused before their bodies came leave nothing on a connection that is kept", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on("warning", note);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.setEncoding("utf8");
  for (let count = 0; count < 30; count++) {
    socket.write("POST /api/v1/feedback HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n");
    expect((await once(socket, "data"))[0]).toContain("HTTP/1.1 401 ");
    socket.write("{}");
  }
  socket.destroy();
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

it("no route knows a key that is made from another one", async () => {
  const before = await everything();
  const open = new Set([
    "/api/healthz",
    "/metrics",
    "/api/auth/cli/code",
    "/api/auth/cli/status",
    "/api/auth/cli/logout",
  ]);
  const hash = createHash("sha256").update(ann.key).digest("hex");
  const wrong: string[] = [];
  for (const { method, path } of routes().filter(
    (route) => !open.has(route.path) && !route.path.startsWith("/login"),
  )) {
    for (const headers of forgedKeys(ann.key, hash)) {
      const body = path === chatPath ? chatBody(annRun) : { messages: [] };
      const response = await server.post(filled(path), body, { method, headers });
      const fault = response.status === 401 ? await faultIn(response) : `${response.status}: ${await response.text()}`;
      if (fault !== undefined) wrong.push(`${method} ${path} ${JSON.stringify(headers).slice(0, 80)}: ${fault}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toBe(before);
});

it("no route takes another method, and no path is another one in disguise", async () => {
  const before = await everything();
  const wrong: string[] = [];
  const known = new Set(routes().map(({ method, path }) => `${method} ${path}`));
  for (const { path } of routes()) {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "POST"].filter((one) => !known.has(`${one} ${path}`))) {
      const fault = await faultIn(await server.post(filled(path), "{}", { method, key: ann.key }));
      if (fault !== undefined) wrong.push(`${method} ${path}: ${fault}`);
    }
  }
  for (const target of [
    ...["/api/v1/../v1/api-keys", "/api/v1/%61pi-keys/x", "//api/v1/me", "/api/v1/me/", "/API/v1/me", "/api/v1/me%00"],
    ...[
      "/api/v1/me;x",
      "/api/v1/agents/%2e%2e/%2e%2e/me",
      "/api/v1/api-keys/%2e%2e",
      "/metrics/../api",
      "/%2e%2e/%2e%2e/etc/passwd",
    ],
    ...[
      "/api/v1/agents/a/b/%ff",
      "/api/v1/agents/a/b/%00",
      "/api/v1/agents/__proto__/constructor/latest",
      "/api//v1//me",
    ],
  ]) {
    const bytes = `GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${eve.key}\r\nconnection: close\r\n\r\n`;
    const [head = "", text = ""] = (await exchange(bytes)).split("\r\n\r\n");
    const fault = faultOf(Number(head.slice(9, 12)), /^content-type: (.*)$/im.exec(head)?.[1], text, true);
    if (fault !== undefined || text.includes("ann@example.com")) wrong.push(`${target}: ${fault ?? text}`);
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toBe(before);
});

it("texts that are no JSON are 400 on every route that reads one", async () => {
  const before = await everything();
  const wrong: string[] = [];
  for (const { method, path } of routes()) {
    if (method !== "POST" || path.startsWith("/login") || path === "/api/v1/usage") continue;
    for (const text of oddTexts) {
      const response = await fetch(`${server.url}${filled(path)}`, {
        method,
        headers: { authorization: `Bearer ${ann.key}`, "content-type": "application/json" },
        body: text as BodyInit,
      });
      const fault = response.status === 400 ? await faultIn(response) : `${response.status}: ${await response.text()}`;
      if (fault !== undefined) wrong.push(`${path} ${String(text).slice(0, 30)}: ${fault}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toBe(before);
});

describe("what belongs to somebody else", () => {
  it("a run is not used, ended, or added to, however it is named", async () => {
    const before = await everything();
    const wrong: string[] = [];
    const names = [annRun, annRun.toUpperCase(), ` ${annRun}`, `${annRun}\0`, `${annRun}%00`, `${annRun},${eveRun}`];
    for (const id of names) {
      const end = {
        action: "FINISH",
        runId: id,
        status: "completed",
        totalSteps: 1,
        directCredits: 0,
        totalCredits: 0,
      };
      for (const response of [
        await server.post("/api/v1/agent-runs", end, { key: eve.key }),
        await server.post(
          `/api/v1/agent-runs/${encodeURIComponent(id)}/steps`,
          { stepNumber: 9, status: "completed" },
          { key: eve.key },
        ),
        await server.chat(eve, id),
        await server.chat(eve, eveRun, { codebuff_metadata: { run_id: [id] } }),
        await server.chat(eve, eveRun, { codebuff_metadata: { run_id: { toString: id } } }),
      ]) {
        const fault = await faultIn(response);
        if (fault !== undefined) wrong.push(`${response.url} ${id}: ${fault}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await everything()).toBe(before);
  });

  it("the same Idempotency-Key of two people is two calls, and no word of the one reaches the other", async () => {
    const headers = { "idempotency-key": `${ann.id}:same` };
    const [first, second] = [await unitsOf(server.database, ann.id), await unitsOf(server.database, eve.id)];
    const answers = await Promise.all([
      server.chat(ann, annRun, {}, { headers }),
      server.chat(eve, eveRun, {}, { headers }),
    ]);
    for (const answer of answers)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("[DONE]")]);
    await server.server.service.calls.none();
    expect((await unitsOf(server.database, ann.id)).balance).toBe(first.balance - 2110);
    expect((await unitsOf(server.database, eve.id)).balance).toBe(second.balance - 2110);
    for (const key of ["same", `${ann.id}:same`, `${eve.id}:${ann.id}:same`, "x".repeat(201), "\u00e9", "a b"]) {
      const fault = await faultIn(await server.chat(eve, eveRun, {}, { headers: { "idempotency-key": key } }), true);
      expect(fault).toBeUndefined();
    }
  });
});

it("no field of a call makes it cheaper: it is refused, or costs what the provider says", async () => {
  const wrong: string[] = [];
  for (const more of moneyFields) {
    const before = await unitsOf(server.database, ann.id);
    const { codebuff_metadata: metadata = {} } = more as { codebuff_metadata?: object };
    const body = { ...more, codebuff_metadata: { run_id: annRun, client_id: "c", ...metadata } };
    const response = await server.chat(ann, annRun, body);
    const fault = await faultIn(response, true);
    await server.server.service.calls.none();
    const paid = before.balance - (await unitsOf(server.database, ann.id)).balance;
    if (fault !== undefined) wrong.push(`${JSON.stringify(more).slice(0, 80)}: ${fault}`);
    if (paid !== (response.status === 200 ? 2110 : 0))
      wrong.push(`${JSON.stringify(more).slice(0, 80)}: ${response.status}, paid ${paid}`);
  }
  expect(wrong).toEqual([]);
});

const whole = words("Hel") + words("lo") + usageFrame(twoCents) + frame("[DONE]");
const places = (length: number, step: number) => Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step);

it("a stream that the provider cuts at any byte ends, and what came is paid once", { timeout: 120_000 }, async () => {
  const wrong: string[] = [];
  for (const at of places(whole.length, isLong ? 1 : 6)) {
    reply = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(whole.slice(0, at), () => response.destroy());
    };
    const before = await unitsOf(server.database, ann.id);
    const response = await server.chat(ann, annRun);
    const text = await response.text().catch(() => "cut");
    await server.server.service.calls.none();
    const { balance, held } = await unitsOf(server.database, ann.id);
    const paid = before.balance - balance;
    if (held !== 0 || paid < 0 || paid > 2110) wrong.push(`${at}: held ${held}, paid ${paid}`);
    if (response.status !== 200) {
      const fault = faultOf(
        response.status === 502 ? 499 : response.status,
        response.headers.get("content-type"),
        text,
      );
      if (fault !== undefined) wrong.push(`${at}: ${fault}`);
    }
  }
  expect(wrong).toEqual([]);
});

it("a request that its client cuts at any byte costs nothing", { timeout: 120_000 }, async () => {
  const body = JSON.stringify(chatBody(annRun));
  const head = `POST ${chatPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ann.key}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const bytes = head + body;
  const before = await everything();
  const asked = server.provider.requests.length;
  await Promise.all(
    places(bytes.length, isLong ? 1 : 4).map(
      (at) =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.end(bytes.slice(0, at)));
          socket.on("error", () => {}).on("close", () => resolve());
          socket.resume();
        }),
    ),
  );
  await server.server.service.calls.none();
  expect(server.provider.requests.length).toBe(asked);
  expect(await everything()).toBe(before);
});

it("an address that the sender made up counts nowhere", async () => {
  const forged = ["127.0.0.1", "::1", "10.0.0.1, 127.0.0.1", "unknown", "<script>", "'", "x".repeat(4_000)];
  for (const name of [
    "x-forwarded-for",
    "x-real-ip",
    "forwarded",
    "x-client-ip",
    "cf-connecting-ip",
    "true-client-ip",
  ]) {
    for (const address of forged) {
      const response = await server.post("/api/v1/me", undefined, { method: "GET", headers: { [name]: address } });
      expect([response.status, await faultIn(response)]).toEqual([401, undefined]);
    }
  }
  const logins = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      server.post(
        "/api/auth/cli/code",
        { fingerprintId: `f${at}` },
        { headers: { "x-forwarded-for": `10.1.2.${at}`, "x-real-ip": `10.1.2.${at}` } },
      ),
    ),
  );
  const made = logins.filter(({ status }) => status === 200).length;
  // A minute that ends in between begins another count.
  expect([20, 40]).toContain(made);
  for (const response of logins) expect(await faultIn(response, true)).toBeUndefined();
});

it("a sign-in is answered by a form of our own page in the browser that opened it, and by nothing else", async () => {
  const { db } = server.database;
  await db.deleteFrom("rate_window").execute();
  const begun = await server.post("/api/auth/cli/code", { fingerprintId: "victim" });
  const { loginUrl, fingerprintHash } = (await begun.json()) as { loginUrl: string; fingerprintHash: string };
  const id = new URL(loginUrl).searchParams.get("id") ?? "";
  const page = await fetch(loginUrl);
  const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  expect([cookie, csrf, id].every((part) => part.length > 20)).toBe(true);
  const right = { id, csrf, decision: "approve", key: ann.key };
  const forms = [
    ...["", "x", csrf.slice(1), `${csrf}=`, csrf.toUpperCase()].map((one) => ({ ...right, csrf: one })),
    ...["", "x", `${id}x`, id.toUpperCase(), "\0", "' or 1=1", "x".repeat(10_000)].map((one) => ({
      ...right,
      id: one,
    })),
    ...["", "APPROVE", "approve,deny", "__proto__"].map((decision) => ({ ...right, decision })),
  ];
  const { origin } = new URL(server.url);
  const senders: Record<string, string>[] = [
    {},
    { origin, cookie: "" },
    { origin, cookie: "codebuff=x" },
    { origin, cookie: `__Host-${cookie}` },
    { origin, cookie: `codebuff=${ann.key}` },
    { origin: "null", cookie },
    { origin: "https://evil.example", cookie },
    { origin: `${origin}.evil.example`, cookie },
    { origin: "null", "sec-fetch-site": "cross-site", cookie },
    { cookie, referer: `${origin}/login` },
    { origin: "http://evil.example", cookie, "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
  ];
  const asked = [
    ...senders.flatMap((headers) => ["session", "decision"].map((to) => ({ to, headers, form: right }))),
    ...forms.map((form) => ({ to: "decision", headers: { origin, cookie }, form })),
    { to: "decision", headers: { origin, cookie }, form: right },
  ];
  const wrong: string[] = [];
  for (const { to, headers, form } of asked) {
    const response = await fetch(`${server.url}/login/${to}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      redirect: "manual",
    });
    const fault = await faultIn(response);
    if (fault !== undefined) wrong.push(`${to} ${JSON.stringify({ headers, form }).slice(0, 150)}: ${fault}`);
  }
  const secrets = [fingerprintHash, "", "x", `${fingerprintHash}x`, fingerprintHash.toUpperCase(), "\0", "%00"];
  for (const secret of secrets) {
    for (const name of ["victim", "", "other", "VICTIM", "victim\0"]) {
      const query = new URLSearchParams({ fingerprintId: name, fingerprintHash: secret, state: "approved" });
      const fault = await faultIn(await fetch(`${server.url}/api/auth/cli/status?${query}`));
      if (fault !== undefined) wrong.push(`status ${name} ${secret}: ${fault}`);
    }
  }
  // Only a login of a terminal is ended by its token alone.
  for (const authToken of [ann.key, ann.id, "%", "*", "' or 1=1"]) {
    const fault = await faultIn(await server.post("/api/auth/cli/logout", { authToken }), true);
    if (fault !== undefined) wrong.push(`logout ${authToken}: ${fault}`);
  }
  expect(wrong).toEqual([]);
  expect(await db.selectFrom("cli_login").select("state").where("fingerprint_id", "=", "victim").execute()).toEqual([
    { state: "waiting" },
  ]);
  expect((await server.post("/api/v1/me", undefined, { method: "GET", key: ann.key })).status).toBe(200);
});

it("after all of it a call works and costs what it costs", async () => {
  const before = await unitsOf(server.database, ann.id);
  expect(await (await server.chat(ann, annRun)).text()).toContain("[DONE]");
  await server.server.service.calls.none();
  expect(await unitsOf(server.database, ann.id)).toEqual({ balance: before.balance - 2110, held: 0 });
});
