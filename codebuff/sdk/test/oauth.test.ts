import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { promptAiSdkStream } from "../src/model/prompt-ai-sdk-stream.ts";
import { findWays, routesFor } from "../src/model/ways.ts";
import { connectSubscription } from "../src/oauth/connect.ts";
import { freshFolder } from "./fresh-folder.ts";
import { chatAnswer, httpService, messagesAnswer, responsesAnswer, sendJson, sendStream } from "./http-service.ts";
import { collect, impatientClock, modelRequest, noSignal, textOf } from "./model-request.ts";

type Tokens = { accessToken: string; refreshToken?: string; expiresAt?: number };

interface World {
  readonly home: string;
  readonly refreshes: () => number;
  readonly apiCalls: () => number;
  /** Which endpoint of the vendor was asked for which model. */
  readonly paths: readonly string[];
  readonly backendCalls: () => number;
  ask(options?: { freeMode?: boolean }): ReturnType<typeof collect>;
  tokens(): Promise<Tokens | undefined>;
}

const vendors = {
  claude: { model: "anthropic/claude-haiku-4.5", answer: messagesAnswer(["from the vendor"]) },
  chatgpt: { model: "openai/gpt-5-mini", answer: responsesAnswer("from the vendor") },
};

/** A fake issuer, a fake vendor API and a fake Codebuff server on the loopback. */
async function world(
  given: {
    tokens?: Tokens;
    api?: (token: string, calls: number) => "ok" | "rate_limit" | "rate_limit_late" | "denied" | "broken";
    issuer?: "gives" | "refuses" | "is down";
    name?: keyof typeof vendors;
  } = {},
): Promise<World> {
  const { name = "claude" } = given;
  const vendor = vendors[name];
  let refreshes = 0;
  let apiCalls = 0;
  let backendCalls = 0;
  const paths: string[] = [];
  const issuer = await httpService(async ({ body }, response) => {
    const grant = new URLSearchParams(body);
    if (grant.get("grant_type") === "refresh_token") refreshes++;
    if (given.issuer === "refuses") return sendJson(response, 400, { error: "invalid_grant" });
    if (given.issuer === "is down") return sendJson(response, 503, {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    sendJson(response, 200, { access_token: `fresh-${refreshes}`, refresh_token: "refresh-2", expires_in: 3600 });
  });
  const api = await httpService(({ headers, path, body }, response) => {
    paths.push(`${path} ${(JSON.parse(body) as { model: string }).model}`);
    const token = String(headers.authorization).replace("Bearer ", "");
    const verdict = given.api?.(token, ++apiCalls) ?? "ok";
    if (verdict === "rate_limit")
      return sendJson(
        response,
        429,
        { error: { type: "rate_limit_error", message: "limit" } },
        { "retry-after": "120" },
      );
    if (verdict === "denied") return sendJson(response, 401, { error: { message: "denied" } });
    if (verdict === "broken") return sendJson(response, 400, { error: { message: "bad request" } });
    const { answer } = vendor;
    if (verdict === "ok") return sendStream(response, answer);
    const until = answer.indexOf("event: content_block_stop");
    const error = { type: "error", error: { type: "rate_limit_error", message: "limit" } };
    sendStream(response, `${answer.slice(0, until)}event: error\ndata: ${JSON.stringify(error)}\n\n`);
  });
  const backend = await httpService((_, response) => {
    backendCalls++;
    sendStream(response, chatAnswer(["from the server"], { cost: 0.02 }));
  });
  const home = await freshFolder("home");
  const oauth = {
    authorizeUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    clientId: "our-own-client",
    scopes: ["inference"],
    apiBaseUrl: api.url,
  };
  await mkdir(join(home, ".codebuff", "oauth"), { recursive: true });
  await writeFile(join(home, ".codebuff", "config.json"), JSON.stringify({ oauth: { [name]: oauth } }));
  const file = join(home, ".codebuff", "oauth", `${name}.json`);
  if (given.tokens !== undefined) await writeFile(file, JSON.stringify(given.tokens));
  const ways = await findWays({ env: {}, home, apiKey: "cb-key", baseUrl: backend.url });
  return {
    home,
    refreshes: () => refreshes,
    apiCalls: () => apiCalls,
    paths,
    backendCalls: () => backendCalls,
    ask: ({ freeMode = false } = {}) => {
      const routes = routesFor(ways, vendor.model, {
        clientId: "c",
        costMode: freeMode ? "free" : "normal",
      });
      const options = { routes, freeMode, clock: impatientClock(), redact: (text: string) => text };
      return collect(promptAiSdkStream(modelRequest(), options, noSignal));
    },
    tokens: async () => {
      const text = await readFile(file, "utf8").catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as Tokens);
    },
  };
}

const good: Tokens = { accessToken: "good", refreshToken: "refresh-1", expiresAt: Date.now() + 3_600_000 };
const expired: Tokens = { ...good, accessToken: "old", expiresAt: Date.now() - 1_000 };

it("a connected subscription goes straight to the vendor for 0 credits", async () => {
  const here = await world({ tokens: good });
  const chunks = await here.ask();
  expect(textOf(chunks)).toBe("from the vendor");
  expect(chunks.at(-1)).toMatchObject({ type: "finish", cost: { millicredits: 0, known: true } });
  expect([here.refreshes(), here.backendCalls()]).toEqual([0, 0]);
});

it("ChatGPT: its own endpoint for 0 credits, and the server at a rate limit", async () => {
  const here = await world({ name: "chatgpt", tokens: good });
  const chunks = await here.ask();
  expect(textOf(chunks)).toBe("from the vendor");
  expect(chunks.at(-1)).toMatchObject({ type: "finish", reason: "stop", cost: { millicredits: 0, known: true } });
  expect([here.paths, here.backendCalls()]).toEqual([["/responses gpt-5-mini"], 0]);

  const limited = await world({ name: "chatgpt", tokens: good, api: () => "rate_limit" });
  expect([textOf(await limited.ask()), textOf(await limited.ask())]).toEqual(["from the server", "from the server"]);
  // The second call does not even ask: the way rests until its reset.
  expect([limited.apiCalls(), limited.backendCalls()]).toEqual([1, 2]);
  const free = await world({ name: "chatgpt", tokens: good, api: () => "rate_limit" });
  expect(await free.ask({ freeMode: true })).toMatchObject([{ type: "error", statusCode: 429 }]);
  expect(free.backendCalls()).toBe(0);
});

it("without a connection the server serves", async () => {
  const here = await world();
  const chunks = await here.ask();
  expect(textOf(chunks)).toBe("from the server");
  expect(chunks.at(-1)).toMatchObject({ cost: { millicredits: 2_000, known: true } });
});

it("20 parallel calls with an expired token renew it once", async () => {
  const here = await world({ tokens: expired, api: (token) => (token === "fresh-1" ? "ok" : "denied") });
  const all = await Promise.all(Array.from({ length: 20 }, () => here.ask()));
  expect(all.map(textOf)).toEqual(Array.from({ length: 20 }, () => "from the vendor"));
  expect(here.refreshes()).toBe(1);
});

it("20 parallel calls whose token the vendor refuses renew it once", async () => {
  const here = await world({ tokens: good, api: (token) => (token === "fresh-1" ? "ok" : "denied") });
  const all = await Promise.all(Array.from({ length: 20 }, () => here.ask()));
  expect(new Set(all.map(textOf))).toEqual(new Set(["from the vendor"]));
  expect(here.refreshes()).toBe(1);
  expect(await here.tokens()).toMatchObject({ accessToken: "fresh-1", refreshToken: "refresh-2" });
});

it("a revoked grant deletes the token and the server takes over; in free mode the person is told to connect again", async () => {
  const revoked = { tokens: expired, issuer: "refuses" } as const;
  const here = await world(revoked);
  expect(textOf(await here.ask())).toBe("from the server");
  expect(await here.tokens()).toBeUndefined();
  const free = await world(revoked);
  expect(await free.ask({ freeMode: true })).toMatchObject([
    { type: "error", message: expect.stringContaining("connect again") },
  ]);
  expect(free.backendCalls()).toBe(0);
});

it("an issuer that is down leaves the token where it is", async () => {
  const here = await world({ tokens: expired, issuer: "is down" });
  expect(textOf(await here.ask())).toBe("from the server");
  expect(await here.tokens()).toEqual(expired);
});

it("a rate limit before the first content goes to the server and rests the way until its reset", async () => {
  const here = await world({ tokens: good, api: () => "rate_limit" });
  expect(textOf(await here.ask())).toBe("from the server");
  expect(textOf(await here.ask())).toBe("from the server");
  expect([here.apiCalls(), here.backendCalls()]).toEqual([1, 2]);
});

it("a rate limit in free mode is a clear failure", async () => {
  const here = await world({ tokens: good, api: () => "rate_limit" });
  expect(await here.ask({ freeMode: true })).toMatchObject([
    { type: "error", statusCode: 429, message: expect.stringContaining("free mode") },
  ]);
  expect(here.backendCalls()).toBe(0);
});

it("a rate limit after the first content never falls back", async () => {
  const here = await world({ tokens: good, api: () => "rate_limit_late" });
  const chunks = await here.ask();
  expect([textOf(chunks), chunks.at(-1)?.type, here.backendCalls()]).toEqual(["from the vendor", "error", 0]);
});

it("any other refusal fails at once", async () => {
  const here = await world({ tokens: good, api: () => "broken" });
  expect(await here.ask()).toMatchObject([{ type: "error", message: "bad request", statusCode: 400 }]);
  expect([here.apiCalls(), here.backendCalls()]).toEqual([1, 0]);
});

it("connects with PKCE at the configured issuer and keeps the tokens private", async () => {
  const home = await freshFolder("home");
  let seen = "";
  const { url } = await httpService(({ body }, response) => {
    seen = body;
    sendJson(response, 200, { access_token: "a", refresh_token: "r", expires_in: 60 });
  });
  const config = {
    authorizeUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    clientId: "ours",
    scopes: ["x"],
    apiBaseUrl: url,
  };
  const pending = connectSubscription("claude", config, { home });
  const asked = new URL(pending.url).searchParams;
  expect([asked.get("client_id"), asked.get("code_challenge_method"), asked.get("scope")]).toEqual([
    "ours",
    "S256",
    "x",
  ]);
  await expect(pending.finish(`the-code#forged`)).rejects.toMatchObject({ code: "bad_oauth_state" });
  await pending.finish(`the-code#${asked.get("state")}`);
  const sent = new URLSearchParams(seen);
  expect([sent.get("code"), sent.get("grant_type")]).toEqual(["the-code", "authorization_code"]);
  const challenge = Buffer.from(
    await crypto.subtle.digest("SHA-256", Buffer.from(sent.get("code_verifier") ?? "")),
  ).toString("base64url");
  expect(challenge).toBe(asked.get("code_challenge"));
  expect((await stat(join(home, ".codebuff", "oauth", "claude.json"))).mode & 0o777).toBe(0o600);
});

it("two processes that find the token expired renew it once", async () => {
  const here = await world({ tokens: expired });
  const program = `
    import { Subscription } from ${JSON.stringify(new URL("../dist/oauth/subscription.js", import.meta.url).href)};
    import { readFileSync } from "node:fs";
    const config = JSON.parse(readFileSync(process.argv[1] + "/.codebuff/config.json", "utf8")).oauth.claude;
    const subscription = new Subscription("claude", config, { home: process.argv[1], env: {} });
    process.stdout.write(String(await subscription.accessToken()));`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", program, here.home], {
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const outputs = await Promise.all(children.map(outputOf));
  expect(outputs).toEqual(["fresh-1", "fresh-1", "fresh-1", "fresh-1"]);
  expect(here.refreshes()).toBe(1);
});

async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  await once(child, "close");
  return text;
}
