import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatBody } from "../test-server.ts";
import { runCommand, startServerProcess } from "./server-process.ts";

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codebuff-command-"));
  env = { HOME: folder, CODEBUFF_SERVER_DATA: join(folder, "data") };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], env);
  return { code, value: stdout === "" ? undefined : (JSON.parse(stdout) as Record<string, never>), stderr };
};

it("starts from nothing: makes the database, an admin and a key, prints them once, and serves", async () => {
  const first = await startServerProcess(["serve", "--port", "0"], env);
  const key = /API key, shown only once: (\S+)/.exec(first.output)?.[1];
  const me = await fetch(`${first.url}/api/v1/me?fields=email`, { headers: { authorization: `Bearer ${key}` } });
  expect(await me.json()).toEqual({ email: "admin@localhost" });
  expect(await (await fetch(`${first.url}/api/healthz`)).json()).toEqual({ status: "ok" });
  expect(await first.stop()).toBe(143);
  const second = await startServerProcess(["serve", "--port", "0"], env);
  expect(second.output).not.toContain("API key");
  expect(second.output).toContain("No provider has a key");
  await second.stop();
});

it("the demo answers offline what its greeting says to try", async () => {
  const server = await startServerProcess(["serve", "--demo", "--port", "0"], { HOME: folder });
  try {
    const key = /API key, shown only once: (\S+)/.exec(server.output)?.[1] ?? "";
    const headers = { authorization: `Bearer ${key}` };
    const post = (path: string, body: object) =>
      fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const { runId } = (await (await post("/api/v1/agent-runs", { action: "START", agentId: "base2" })).json()) as {
      runId: string;
    };
    for (let n = 0; n < 3; n++) {
      expect(await (await post("/api/v1/chat/completions", chatBody(runId))).text()).toContain("[DONE]");
    }
  } finally {
    await server.stop();
  }
});

it.each([
  ["/proc, where nothing can be made", () => "/proc/nothing/here", /No folder|ENOENT/],
  ["below a file", () => join(file(), "data"), /ENOTDIR|EEXIST/],
  ["a device", () => "/dev/null/data", /ENOTDIR/],
  ["a file itself", file, /EEXIST/],
])("a data directory in %s is one clear line, at once", async (_, directory, reason) => {
  const { code, stdout, stderr } = await runCommand(["serve", "--port", "0", "--data", directory()], { HOME: folder });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(reason)]);
});

function file(): string {
  const path = join(folder, "a-file");
  writeFileSync(path, "");
  return path;
}

describe("people, credits, keys and runs", () => {
  it("are made and listed, and the same grant twice is one", async () => {
    const made = await run("users", "create", "--email", "ann@example.com", "--credits", "500");
    expect(made).toMatchObject({
      code: 0,
      value: { userId: expect.any(String), apiKey: expect.stringMatching(/^cb-/) },
    });
    const userId = String(made.value?.userId);
    const give = [
      "grants",
      "add",
      "--user",
      userId,
      "--credits",
      "100",
      "--expires",
      "2099-01-01T00:00:00Z",
      "--id",
      "g1",
    ];
    expect((await run(...give)).value).toMatchObject({ granted: true });
    expect((await run(...give)).value).toMatchObject({ granted: false });
    expect((await run("grants", "list", "--user", "ann@example.com")).value).toMatchObject([
      { grantId: "g1", type: "admin", credits: 100, expires: "2099-01-01T00:00:00.000Z" },
      { credits: 500, remaining: 500, expires: null },
    ]);
    expect((await run("users", "ban", userId)).value).toEqual({ userId, banned: true });
    expect((await run("users", "unban", userId)).value).toEqual({ userId, banned: false });
    expect((await run("subscriptions", "set", userId, "--tier", "100", "--per-week", "900")).value).toMatchObject({
      creditsPerBlock: 420,
      creditsPerWeek: 900,
    });
    const key = await run("keys", "create", "--user", userId, "--name", "laptop");
    expect((await run("keys", "revoke", String(key.value?.keyId))).value).toMatchObject({ revoked: true });
    expect((await run("keys", "revoke", String(key.value?.keyId))).code).toBe(1);
    expect((await run("runs", "list")).value).toEqual([]);
    expect(await run("doctor")).toMatchObject({
      code: 0,
      value: expect.arrayContaining([{ check: "ledger", ok: true, detail: "the audit finds nothing" }]),
    });
  });

  it.each([
    [["users", "create", "--email", "ann@example.com"], 1, /already/],
    [["users", "create", "--email", "no address"], 2, /e-mail/],
    [["users", "create", "--email", "x@example.com", "--credits", "-3"], 2, /whole number/],
    [["grants", "add", "--user", "nobody", "--credits", "1"], 1, /no user nobody/],
    [["grants", "add", "--user", "ann@example.com", "--credits", "1", "--type", "gift"], 2, /Allowed choices/],
    [["users", "ban", "'; drop table user; --"], 1, /no user/],
    [["nonsense"], 2, /unknown command 'nonsense'/],
    [
      ["users", "list", "--database", "postgres://ann:secret@127.0.0.1:1/x"],
      1,
      /^codebuff-server: The database postgres:\/\/ann:\[redacted\]@127\.0\.0\.1:1\/x cannot be used: .*REFUSED.*\n$/,
    ],
    [
      ["users", "list", "--database", `sqlite:${fileURLToPath(import.meta.url)}`],
      1,
      /^codebuff-server: The database .* cannot be used: .*\n$/,
    ],
    [
      ["serve", "--port", "1", "--host", "192.0.2.1"],
      1,
      /^codebuff-server: Cannot listen on 192\.0\.2\.1, port 1: .*\n$/,
    ],
    [["serve", "--port", "99999"], 2, /PORT/],
    [["users", "fallback", "ann@example.com", "yes"], 2, /Allowed choices/],
    [["users", "list", "--database", "mysql://x"], 2, /DATABASE_URL/],
  ] as const)("%j is refused with exit code %i", async (args, code, message) => {
    const ended = await run(...args);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(message)]);
  });
});

it("doctor finds money that was made up, and a provider that does not answer", async () => {
  const { openDatabase } = await import("../../src/database/open.ts");
  const url = `sqlite:${join(folder, "data", "codebuff.db")}`;
  const database = await openDatabase(url);
  await database.db.updateTable("credit_account").set({ balance: 123_456 }).execute();
  await database.close();
  const { code, stdout } = await runCommand(["doctor"], {
    ...env,
    OPENROUTER_API_KEY: "sk-or-test",
    OPENROUTER_BASE_URL: "http://127.0.0.1:9",
  });
  expect(code).toBe(1);
  expect(stdout).toContain("balance is not the sum of its grants");
  expect(stdout).toMatch(/provider openrouter +false +.*cannot be reached/);
});

it("any number of processes may start at once on a new SQLite file", async () => {
  const fresh = { ...env, CODEBUFF_SERVER_DATA: join(folder, "together") };
  const ended = await Promise.all(Array.from({ length: 6 }, () => runCommand(["users", "list"], fresh)));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array(6).fill([0, ""]));
});

it("help names every command and every setting", async () => {
  const { code, stdout } = await runCommand(["--help"], env);
  expect(code).toBe(0);
  for (const word of ["serve", "users", "grants", "keys", "runs", "doctor"]) expect(stdout).toContain(word);
  const source = readFileSync(new URL("../../src/config.ts", import.meta.url), "utf8");
  for (const [, setting = ""] of source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)) expect(stdout).toContain(setting);
});
