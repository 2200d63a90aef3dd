import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBrowser } from "../../../test/browser.ts";
import { startProvider } from "./provider.ts";
import { type Person, startTestServer, type TestServer } from "./test-server.ts";

interface Begun {
  readonly fingerprintId: string;
  readonly fingerprintHash: string;
  readonly userCode: string;
  readonly loginUrl: string;
}

let server: TestServer;
let person: Person;
let count = 0;
beforeAll(async () => {
  server = await startTestServer();
  person = await server.person("ann@example.com", 100);
});
afterAll(() => server.close());
beforeEach(() => server.database.db.deleteFrom("rate_window").execute());

const begin = async (more: object = { showsCode: true }): Promise<Begun> => {
  const response = await server.post("/api/auth/cli/code", { fingerprintId: `laptop-${++count}`, ...more });
  return (await response.json()) as Begun;
};

/** Polls as a terminal does: not more often than once a second. */
async function poll({ fingerprintId, fingerprintHash }: Begun): Promise<Response> {
  await wait(1050);
  const query = new URLSearchParams({ fingerprintId, fingerprintHash });
  return fetch(`${server.url}/api/auth/cli/status?${query}`);
}

const started = await startBrowser();
if ("reason" in started) process.stderr.write(`skipped: ${started.reason}\n`);

describe.runIf(!("reason" in started))("in a real browser", () => {
  const browser = started as Browser;
  let context: BrowserContext;
  let page: Page;
  const failures: string[] = [];
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  });
  afterEach(() => context.close());

  async function signIn(url: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel("API key").fill(person.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Approve this sign-in?" }).waitFor();
  }

  it("approve: the page shows the terminal's code, and the token is given once", async () => {
    const login = await begin();
    expect((await poll(login)).status).toBe(401);
    await signIn(login.loginUrl);
    expect(await page.getByTestId("code").textContent()).toBe(login.userCode);
    expect(await page.locator("body").textContent()).toContain(login.fingerprintId);
    expect(await page.locator("body").textContent()).toContain("127.0.0.1");
    expect(await page.getByTestId("no-code").count()).toBe(0);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    const answer = (await (await poll(login)).json()) as { user: { id: string; email: string; authToken: string } };
    expect(answer.user).toMatchObject({ id: person.id, email: "ann@example.com" });
    const me = await server.post("/api/v1/me?fields=id", undefined, { key: answer.user.authToken, method: "GET" });
    expect(await me.json()).toEqual({ id: person.id });
    expect((await poll(login)).status, "replayed").toBe(401);
    await page.goto(login.loginUrl);
    expect(await page.locator("body").textContent()).toContain("answered already");
    await server.post("/api/auth/cli/logout", { authToken: answer.user.authToken });
    expect((await server.post("/api/v1/me", undefined, { key: answer.user.authToken, method: "GET" })).status).toBe(
      401,
    );
  });

  it("deny: the terminal is told, and a later approval is not taken", async () => {
    const login = await begin();
    await signIn(login.loginUrl);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    const response = await poll(login);
    expect([response.status, await response.json()]).toMatchObject([401, { error: "denied" }]);
  });

  it("expired: neither page nor poll", async () => {
    const login = await begin();
    await signIn(login.loginUrl);
    await server.database.db.updateTable("cli_login").set({ expires_at: 1 }).execute();
    await page.getByRole("button", { name: "Approve" }).click();
    expect(await page.locator("body").textContent()).toContain("expired");
    expect((await poll(login)).status).toBe(401);
  });

  it("a wrong key is said on the page; the cookie is not readable and changes with the sign-in", async () => {
    const login = await begin();
    await page.goto(login.loginUrl);
    const [before] = await context.cookies();
    expect(before).toMatchObject({ name: "codebuff", httpOnly: true, sameSite: "Lax" });
    await page.getByLabel("API key").fill("cb-pat-wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("API key").fill(person.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByTestId("code").waitFor();
    const [after] = await context.cookies();
    expect(after?.value).not.toBe(before?.value);
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  it("a terminal without a code (the original client) gets an extra warning", async () => {
    const login = await begin({});
    await signIn(login.loginUrl);
    expect(await page.getByTestId("no-code").textContent()).toContain("does not show a code");
  });

  it("somebody else's link shows somebody else's code, and an unknown one nothing", async () => {
    const [mine, foreign] = [await begin(), await begin()];
    await signIn(foreign.loginUrl);
    expect(await page.getByTestId("code").textContent()).not.toBe(mine.userCode);
    await page.goto(mine.loginUrl.replace(/id=.*/, "id=nothing"));
    expect(await page.locator("body").textContent()).toContain("not valid");
    expect((await poll(mine)).status, "opening a page approves nothing").toBe(401);
  });

  it("a post from another site is refused, though the browser is signed in", async () => {
    const login = await begin();
    await signIn(login.loginUrl);
    const id = new URL(login.loginUrl).searchParams.get("id");
    const csrf = await page.locator("input[name=csrf]").first().getAttribute("value");
    const evil = await startProvider((_request, response) => {
      const field = (name: string, value: string | null) => `<input name="${name}" value="${value}">`;
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<form method="post" action="${server.url}/login/decision">
        ${field("id", id)}${field("csrf", csrf)}${field("decision", "approve")}<button>win</button></form>`);
    });
    try {
      await page.goto(evil.url.replace("127.0.0.1", "localhost"));
      await page.getByRole("button", { name: "win" }).click();
      expect(await page.locator("body").textContent()).toContain("another site");
      expect((await poll(login)).status).toBe(401);
    } finally {
      await evil.close();
    }
  });

  it("a sign-in of a browser ends with the key it was made with, whoever ends the key", async () => {
    const made = await server.post("/api/v1/api-keys", { name: "lent" }, { key: person.key });
    const { id, apiKey } = (await made.json()) as { id: string; apiKey: string };
    const login = await begin();
    await page.goto(login.loginUrl);
    await page.getByLabel("API key").fill(apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Approve this sign-in?" }).waitFor();
    await server.post(`/api/v1/api-keys/${id}`, undefined, { key: person.key, method: "DELETE" });
    await page.goto(login.loginUrl);
    await page.getByLabel("API key").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });

  it("an account that is suspended between approval and poll gets no token", async () => {
    const login = await begin();
    await signIn(login.loginUrl);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    const suspend = (banned: 0 | 1) =>
      server.database.db.updateTable("user").set({ banned }).where("id", "=", person.id).execute();
    await suspend(1);
    try {
      const answer = await poll(login);
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: "account_suspended" }]);
    } finally {
      await suspend(0);
    }
  });

  it("the pages load nothing and no rule of theirs is broken", () => {
    expect(failures.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
  });
});

it("polls that come too fast and logins without end are refused; secrets are stored hashed", async () => {
  const login = await begin();
  const query = new URLSearchParams({ fingerprintId: login.fingerprintId, fingerprintHash: login.fingerprintHash });
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await fetch(`${server.url}/api/auth/cli/status?${query}`)).status);
  expect(statuses).toContain(429);
  const many = await Promise.all(
    Array.from({ length: 25 }, () => server.post("/api/auth/cli/code", { fingerprintId: "same" })),
  );
  expect(many.some(({ status }) => status === 429)).toBe(true);
  const rows = JSON.stringify(await server.database.db.selectFrom("cli_login").selectAll().execute());
  expect(rows).not.toContain(login.fingerprintHash);
  expect(rows).not.toContain(new URL(login.loginUrl).searchParams.get("id"));
});

it("a form without our token, or from nowhere, changes nothing", async () => {
  const login = await begin();
  const id = new URL(login.loginUrl).searchParams.get("id") ?? "";
  for (const origin of [undefined, server.url, "null", "https://evil.example"]) {
    const response = await fetch(`${server.url}/login/decision`, {
      method: "POST",
      headers: origin === undefined ? {} : { origin },
      body: new URLSearchParams({ id, decision: "approve", csrf: "x" }),
    });
    expect(response.status).toBe(403);
  }
  const page = await fetch(login.loginUrl);
  expect(page.headers.get("content-security-policy")).toMatch(
    /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
  );
  expect([page.headers.get("cache-control"), page.headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
});
