import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/** Who may see the page, and how it gets its key. The page itself is tested in daemon/inspector. */
let home: DaemonHome;
let daemon: DaemonProcess;
let token = "";
beforeAll(async () => {
  home = await DaemonHome.make({ args: [] });
  daemon = await home.start();
  token = daemon.token ?? "";
});
afterAll(() => home.remove());

const ask = (path: string, { headers = {}, ...init }: RequestInit = {}) =>
  fetch(`${daemon.api.baseUrl}${path}`, { ...init, headers: { "content-type": "application/json", ...headers } });
const redeem = (ticket: string) => ask("/tickets/redeem", { method: "POST", body: JSON.stringify({ ticket }) });
const ticketIn = (text: string) => /\/inspect#ticket=(\S+)/.exec(text)?.[1] ?? "";
const statusWith = async (key: string) =>
  (await ask("/agents", { headers: { authorization: `Bearer ${key}` } })).status;

it("the link that is printed lets in once; its key outlives a restart and dies with the token", async () => {
  const ticket = ticketIn(daemon.stdout);
  const first = await redeem(ticket);
  expect(first.status).toBe(200);
  const { key, expiresAt } = (await first.json()) as { key: string; expiresAt: string };
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 24 * 3_600_000);
  expect((await redeem(ticket)).status).toBe(401);
  expect(await statusWith(key)).toBe(200);
  expect(await statusWith(`${key}x`)).toBe(401);
  expect(await statusWith(key.replace(/^mst_[^_]+/, "mst_0123456789ab"))).toBe(401);

  await daemon.kill("SIGTERM");
  daemon = await home.start();
  expect(await statusWith(key)).toBe(200);

  await daemon.kill("SIGTERM");
  const other = await DaemonHome.make({ args: ["--token", "another-token-of-the-user"] });
  const stranger = await other.start();
  const answer = await fetch(`${stranger.api.baseUrl}/agents`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(401);
  await other.remove();
  daemon = await home.start();
});

it("a browser at the daemon's address goes to the page; a program gets JSON, or has to show its token", async () => {
  const page = await ask("/", { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, redirect: "manual" });
  expect([page.status, page.headers.get("location"), page.headers.get("vary")]).toEqual([303, "inspect", "accept"]);
  const shown = await ask("/", { headers: { accept: "text/html" } });
  expect([new URL(shown.url).pathname, shown.headers.get("content-type")]).toEqual([
    "/inspect",
    "text/html; charset=utf-8",
  ]);
  expect((await ask("/")).status).toBe(401);
  const info = await ask("/", { headers: { authorization: `Bearer ${token}` } });
  expect(await info.json()).toMatchObject({ name: "sandbox-daemon" });
});

it("a key is kept as its hash, and lets nobody in when the file of tokens cannot be read", async () => {
  const { key } = (await (await redeem(ticketIn((await restart()).stdout))).json()) as { key: string };
  const file = join(home.dataDirectory, "access-tokens.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, "utf8");
  expect(text).not.toContain(key.slice(key.lastIndexOf("_")));
  for (const spoil of [
    () => writeFile(file, text.slice(0, -20)),
    () => rm(file),
    () => rm(file).then(() => mkdir(file)),
  ]) {
    await daemon.kill("SIGTERM");
    await writeFile(file, text);
    daemon = await home.start();
    expect(await statusWith(key)).toBe(200);
    await daemon.kill("SIGTERM");
    await spoil();
    daemon = await home.start();
    expect(await statusWith(key)).toBe(401);
    await rm(file, { recursive: true, force: true });
    await rm(`${file}.unreadable`, { recursive: true, force: true });
  }
});

it("a key ends when the daemon gets another token", async () => {
  const { key } = (await (await redeem(ticketIn((await restart()).stdout))).json()) as { key: string };
  expect(await statusWith(key)).toBe(200);
  await daemon.kill("SIGTERM");
  await writeFile(join(home.dataDirectory, "token"), "another token, 16 characters and more".replaceAll(" ", "-"));
  daemon = await home.start();
  expect(await statusWith(key)).toBe(401);
  await daemon.kill("SIGTERM");
  await writeFile(join(home.dataDirectory, "token"), token);
  daemon = await home.start();
});

it("a ticket for a request is no ticket for a page, nor the other way round", async () => {
  daemon.useToken(token);
  const request = await daemon.api.post<{ ticket: string }>("/tickets", { use: "request" });
  expect((await redeem(request.ticket)).status).toBe(401);
  expect((await ask(`/agents?ticket=${request.ticket}`)).status).toBe(200);
  const page = await daemon.api.post<{ ticket: string }>("/tickets", { use: "page" });
  expect((await ask(`/agents?ticket=${page.ticket}`)).status).toBe(401);
  expect((await redeem(page.ticket)).status).toBe(200);
});

it("a key makes tickets for requests, but no link: it cannot outlive its thirty days", async () => {
  const { key } = (await (await redeem(ticketIn((await restart()).stdout))).json()) as { key: string };
  const make = (use: string) =>
    ask("/tickets", {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ use }),
    });
  expect((await make("request")).status).toBe(201);
  const refused = await make("page");
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, "scope_required"]);
});

it("whoever has shown nothing yet is not listened to for long", async () => {
  const answer = await redeem("x".repeat(5_000));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, "body_too_large"]);
});

it("the daemon's own origin passes, every other is refused", async () => {
  const { key } = (await (await redeem(ticketIn((await restart()).stdout))).json()) as { key: string };
  const { baseUrl } = daemon.api;
  const with_ = async (origin: string) => {
    const answer = await ask("/agents", { headers: { authorization: `Bearer ${key}`, origin } });
    return [answer.status, answer.headers.get("access-control-allow-origin")];
  };
  expect(await with_(baseUrl)).toEqual([200, null]);
  const { port } = new URL(baseUrl);
  for (const origin of [`http://localhost:${port}`, `https://127.0.0.1:${port}`, "http://127.0.0.1:1", "null"]) {
    expect(await with_(origin)).toEqual([403, null]);
  }
});

it("the page needs no token, is locked down, and its files are kept by the browser", async () => {
  const page = await ask("/inspect");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const policy = page.headers.get("content-security-policy") ?? "";
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"]) {
    expect(policy.split("; ")).toContain(rule);
  }
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain("unsafe");
  const html = await page.text();
  expect(html).not.toMatch(/<script[^>]*>[^<]/);
  const [, script = ""] = /src="(\/inspect\/main-[^"]+)"/.exec(html) ?? [];
  const code = await ask(script);
  expect(code.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(code.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  for (const path of ["/inspect/../token", "/inspect/%2e%2e%2ftoken", "/inspect/nothing.js", "/inspect/a/b.js"]) {
    expect([path, (await ask(path)).status]).toEqual([path, path.includes("..") ? 401 : 404]);
  }
  expect((await ask("/inspect", { method: "POST", body: "{}" })).status).toBe(405);
});

async function restart(): Promise<DaemonProcess> {
  await daemon.kill("SIGTERM");
  daemon = await home.start();
  return daemon;
}
