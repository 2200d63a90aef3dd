import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foldLedger } from "../src/budget/ledger.ts";
import { ask, begin, jsonPieces, type Kit, noneSpent, readAnswer, startKit, TestSessions } from "./kit.ts";
import { protocolNames, protocols, startUpstream, type Upstream } from "./upstream.ts";

let kit: Kit;
const upstreams: Upstream[] = [];
afterEach(async () => {
  await kit.close();
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});

async function provider(answer: Parameters<typeof startUpstream>[0]): Promise<Upstream> {
  const started = await startUpstream(answer);
  upstreams.push(started);
  return started;
}

/** A stream that goes on until it is cut: each word costs the same. */
function endless(words: (name: keyof typeof protocols) => string): Parameters<typeof startUpstream>[0] {
  return async (request, response) => {
    const name = protocolNames.find((one) => protocols[one].path === request.url) ?? "messages";
    response.writeHead(200, { "content-type": "text/event-stream" });
    const closed = once(response, "close");
    while (!response.destroyed) {
      response.write(words(name));
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 2)), closed]);
    }
  };
}

/** The middle of a stream: no start, no usage, one word of 400 characters (100 tokens). */
function word(name: keyof typeof protocols): string {
  const text = "x".repeat(400);
  const frames = protocols[name].stream({ texts: [text] }).split("\n\n");
  return `${frames.find((frame) => frame.includes(text)) ?? ""}\n\n`;
}

function send(started: Kit, upstream: Upstream, name: keyof typeof protocols, sessionId = "s1") {
  const protocol = protocols[name];
  const own = { baseUrl: upstream.url, token: "sk-real-1" };
  const { baseUrl, token } = started.access({ holder: { sessionId }, provider: protocol.provider, own });
  const request = { headers: protocol.auth(token), pieces: jsonPieces(protocol.body) };
  return { url: `${baseUrl}${protocol.path}`, request };
}

const forms = {
  messages: { status: 402, error: { type: "error", error: { type: "billing_error", message: expect.any(String) } } },
  responses: {
    status: 400,
    error: { error: { message: expect.any(String), type: "budget_exceeded", code: "budget_exceeded", param: null } },
  },
  chat: {
    status: 400,
    error: { error: { message: expect.any(String), type: "budget_exceeded", code: "budget_exceeded", param: null } },
  },
  gemini: { status: 400, error: { error: { code: 400, message: expect.any(String), status: "FAILED_PRECONDITION" } } },
};

const lastFrames = {
  messages:
    /event: error\ndata: \{"type":"error","error":\{"type":"billing_error","message":"The budget of this session is used up[^}]+\}\}\n\n$/,
  responses:
    /event: response.failed\ndata: \{"type":"response.failed","response":\{.*"status":"failed","error":\{"code":"invalid_prompt","message":"The budget[^}]+\}.*\}\}\n\n$/,
  chat: /data: \{"error":\{"message":"The budget[^}]+"code":"budget_exceeded","param":null\}\}\n\n$/,
  gemini: /data: \{"error":\{"code":400,"message":"The budget[^}]+"status":"FAILED_PRECONDITION"\}\}\n\n$/,
};

describe.each(protocolNames)("A budget reached in a stream of %s", (name) => {
  it("is told to the session first, then the stream ends with our words, and the next request is refused in the form of the protocol", async () => {
    const upstream = await provider(endless(word));
    kit = await startKit();
    kit.sessions.add("s1", { limits: { budgetTokens: 1_000 } });
    const { url, request } = send(kit, upstream, name);
    const answer = await ask(url, request);
    expect([answer.status, answer.isCut]).toEqual([200, false]);
    expect(String(answer.body)).toMatch(lastFrames[name]);
    await kit.sessions.until("settled", 1);
    expect(kit.sessions.told.map(({ what }) => what)).toEqual(["began", "stopped", "settled"]);
    expect(kit.sessions.of("stopped")).toMatchObject([{ sessionId: "s1", value: { limit: "budgetTokens" } }]);
    const [settled] = kit.sessions.settlements();
    expect(settled).toMatchObject({ isEstimated: true });
    const tokens = (settled?.spent.inputTokens ?? 0) + (settled?.spent.outputTokens ?? 0);
    // At most the piece that passed it: 400 characters are 100 tokens, and a read may hold a few of them.
    expect([tokens > 1_000, tokens < 3_000]).toEqual([true, true]);
    const refused = await ask(url, request);
    expect({ status: refused.status, error: JSON.parse(String(refused.body)) }).toEqual(forms[name]);
    expect(upstream.seen).toHaveLength(1);
    kit.sessions.add("s1", { limits: { budgetTokens: 1_000_000 } });
    const again = await begin(url, request);
    expect(again.statusCode).toBe(200);
    again.destroy();
    await kit.sessions.until("settled", 2);
  });
});

describe("A budget in dollars", () => {
  it("holds in the middle of many requests whose usage the wire tells, and warns once at four fifths", async () => {
    // $3 and $15 for a million: 1,000 in and 50 out are $0.00375.
    const upstream = await provider((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(protocols.messages.stream());
    });
    kit = await startKit();
    kit.sessions.add("s1", { limits: { budgetUsd: 0.02 } });
    const { url, request } = send(kit, upstream, "messages");
    const statuses = [];
    for (let count = 0; count < 10; count++) statuses.push((await ask(url, request)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 402, 402, 402, 402, 402]);
    expect(upstream.seen).toHaveLength(5);
    expect(kit.sessions.of("warned")).toEqual([
      { what: "warned", sessionId: "s1", value: { spentUsd: expect.any(Number), budgetUsd: 0.02 } },
    ]);
    const spent = kit.sessions.settlements().reduce((sum, { spent: { listNanoUsd } }) => sum + listNanoUsd, 0);
    expect(spent).toBe(5 * 3_750_000);
  });

  it("starts from what the log of the session says", async () => {
    const upstream = await provider((_, response) => response.end());
    kit = await startKit();
    kit.sessions.add("s1", { limits: { budgetUsd: 1 }, spent: { ...noneSpent, listNanoUsd: 1_000_000_000 } });
    const { url, request } = send(kit, upstream, "messages");
    expect((await ask(url, request)).status).toBe(402);
    expect(upstream.seen).toEqual([]);
  });

  it("cuts parallel streams together, whose outputs draw on one remainder", async () => {
    const open: ServerResponse[] = [];
    const upstream = await provider((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(word("messages"));
      open.push(response);
    });
    kit = await startKit();
    kit.sessions.add("s1", { limits: { budgetUsd: 0.02 } });
    const { url, request } = send(kit, upstream, "messages");
    const answers = await Promise.all([1, 2, 3].map(() => begin(url, request)));
    const bodies = answers.map(readAnswer);
    // One of them spends it all: $15 for a million tokens, 100 tokens a word.
    for (let count = 0; count < 15; count++) open[0]?.write(word("messages"));
    const ended = await Promise.all(bodies);
    expect(ended.map(({ body, isCut }) => [isCut, lastFrames.messages.test(String(body))])).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
    await kit.sessions.until("settled", 3);
    expect(kit.sessions.of("stopped")).toHaveLength(1);
  });

  it("refuses a model without a price with how to set one, and takes a price from routes.yaml at once", async () => {
    const upstream = await provider((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(protocols.messages.stream());
    });
    const folder = await mkdtemp(join(tmpdir(), "prices-"));
    const routesFile = join(folder, "routes.yaml");
    kit = await startKit({ routesFile });
    kit.sessions.add("s1", { limits: { budgetUsd: 1 } });
    const { url, request } = send(kit, upstream, "messages");
    const odd = { ...request, pieces: jsonPieces({ ...protocols.messages.body, model: "odd-1" }) };
    const refused = await ask(url, odd);
    expect([refused.status, JSON.parse(String(refused.body)).error.message]).toEqual([
      402,
      expect.stringContaining('prices: { "odd-1": { input: 1, output: 5 } }'),
    ]);
    await writeFile(routesFile, "prices:\n  odd-1: { input: 1, output: 5 }\n");
    expect(await kit.gateway.reload()).toEqual({});
    expect((await ask(url, odd)).status).toBe(200);
    expect(kit.sessions.settlements()).toMatchObject([{ spent: { listNanoUsd: 1000 * 1000 + 50 * 5000 } }]);
    await rm(folder, { recursive: true });
  });

  it("lets a model without a price pass with `unpriced: allow`, and each agent's default model has one", async () => {
    const upstream = await provider((_, response) => response.writeHead(200).end("{}"));
    kit = await startKit({ unpriced: "allow" });
    kit.sessions.add("s1", { limits: { budgetUsd: 1 } });
    const { url, request } = send(kit, upstream, "messages");
    for (const model of ["odd-1", "claude-opus-5-5"]) {
      expect((await ask(url, { ...request, pieces: jsonPieces({ model }) })).status).toBe(200);
    }
    const responses = send(kit, upstream, "responses");
    const sol = { ...responses.request, pieces: jsonPieces({ model: "gpt-6.1-sol" }) };
    expect((await ask(responses.url, sol)).status).toBe(200);
    const reserved = kit.sessions
      .of("began")
      .map(({ value }) => (value as { reserved: { listNanoUsd: number } }).reserved);
    expect(reserved.map(({ listNanoUsd }) => listNanoUsd > 0)).toEqual([false, true, true]);
  });

  it("counts the last of two models that a body names, as a provider does", async () => {
    const upstream = await provider((_, response) => response.end("{}"));
    kit = await startKit();
    kit.sessions.add("s1");
    const { url, request } = send(kit, upstream, "messages");
    const body = '{"model":"claude-haiku-4-5","messages":[{"model":"x"}],"mod\\u0065l":"claude-opus-4-1"}';
    await ask(url, { ...request, pieces: [Buffer.from(body)] });
    expect(kit.sessions.of("began")).toMatchObject([{ value: { model: "claude-opus-4-1" } }]);
  });
});

describe("Groups and the daemon", () => {
  it("sessions of a group spend one budget, kept over a restart", async () => {
    const upstream = await provider((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(protocols.messages.stream());
    });
    const sessions = new TestSessions();
    kit = await startKit({ sessions });
    for (const id of ["s1", "s2"]) sessions.add(id, { limits: { budgetUsd: 0.01 }, budgetGroup: "team" });
    const statuses = [];
    // Each costs $0.00375, of which $0.003 are its input: the third would not fit any more.
    for (const id of ["s1", "s2", "s1", "s2"]) {
      const { url, request } = send(kit, upstream, "messages", id);
      statuses.push((await ask(url, request)).status);
    }
    expect(statuses).toEqual([200, 200, 402, 402]);
    expect(sessions.of("stopped")).toMatchObject([
      { sessionId: "s1", value: { limit: "group" } },
      { sessionId: "s2", value: { limit: "group" } },
    ]);
    await kit.gateway.close();
    const again = await startKit({ sessions, ledgerFile: join(kit.folder, "ledger.jsonl") }, kit.folder);
    expect(foldLedger(await readFile(join(kit.folder, "ledger.jsonl"), "utf8")).groups.get("team")?.nanoUsd).toBe(
      7_500_000,
    );
    for (const [id, status] of [
      ["s1", 200],
      ["s2", 402],
    ] as const) {
      // Nothing is known of the input any more, so one more is let in while $0.0025 are left.
      const { url, request } = send(again, upstream, "messages", id);
      expect((await ask(url, request)).status).toBe(status);
    }
    await again.gateway.close();
    await rm(kit.folder, { recursive: true });
    kit = await startKit();
  });

  it("what was forwarded is never forgotten by a kill -9: 5 processes, one budget", async () => {
    const open: ServerResponse[] = [];
    let isAsked = () => {};
    const upstream = await provider((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      open.push(response);
      isAsked();
    });
    kit = await startKit();
    const folder = await mkdtemp(join(tmpdir(), "killed-"));
    const ledger = join(folder, "ledger.jsonl");
    const program = fileURLToPath(new URL("./programs/spending-daemon.mjs", import.meta.url));
    // About 1,000 tokens of input at $3 for a million are $0.003 a request: three of them fit.
    const answers: string[] = [];
    for (let round = 1; round <= 5; round++) {
      const child = spawn(process.execPath, [program, ledger, upstream.url, "0.009"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const next = async (): Promise<string> => (await lines.next()).value ?? "ended";
      for (let line = await next(); line !== "ready"; line = await next()) answers.push(line);
      const asked = new Promise<string>((resolve) => {
        isAsked = () => resolve("forwarded");
      });
      child.stdin.write(`s${round}\n`);
      answers.push(await Promise.race([asked, next()]));
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    const told = "log requests were open when the daemon ended; they count with what they had reserved";
    expect(answers).toEqual([
      "forwarded",
      told,
      "forwarded",
      told,
      "forwarded",
      told,
      expect.stringMatching(/^s4 402/),
      expect.stringMatching(/^s5 402/),
    ]);
    expect(upstream.seen).toHaveLength(3);
    await rm(folder, { recursive: true });
  });

  it("a ledger with a torn line is told, and the rest of it holds", async () => {
    kit = await startKit();
    const file = join(kit.folder, "ledger.jsonl");
    await kit.gateway.close();
    await appendFile(file, '{"begin":"a","nanoUsd":5000000000,"tokens":1}\n{"settle":"a","nanoU');
    const again = await startKit({ ledgerFile: file, budgetUsd: 5 }, kit.folder);
    expect(again.logged).toEqual([
      'warn requests were open when the daemon ended; they count with what they had reserved {"openRequests":1}',
      `warn lines of ${file} cannot be read and count as nothing {"damagedLines":1}`,
    ]);
    expect(foldLedger(await readFile(file, "utf8")).daemon.nanoUsd).toBe(5_000_000_000);
    await again.gateway.close();
    await rm(kit.folder, { recursive: true });
    kit = await startKit();
  });
});

describe("requestsPerMinute", () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
  });

  it("holds a request back until its minute has room, and says when to come again beyond two", async () => {
    const upstream = await provider((_, response) => response.end("{}"));
    kit = await startKit({ now: () => now });
    kit.sessions.add("s1", { limits: { requestsPerMinute: 2 } });
    const { url, request } = send(kit, upstream, "messages");
    expect((await ask(url, request)).status).toBe(200);
    now += 59_900;
    expect((await ask(url, request)).status).toBe(200);
    const held = ask(url, request);
    expect((await held).status).toBe(200);
    const waiting = [1, 2, 3].map(() => begin(url, request).catch(() => undefined));
    // The three take places up to two minutes from now; the next one has none.
    let refused = await ask(url, request);
    for (; refused.status !== 429; refused = await ask(url, request));
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(120);
    expect(JSON.parse(String(refused.body)).error.type).toBe("rate_limit_error");
    void waiting;
  });
});
