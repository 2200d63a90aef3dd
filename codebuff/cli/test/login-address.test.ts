import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWorld } from "./command.ts";
import { openAccount } from "./server-account.ts";

/** Somebody else's server: it answers nothing useful and remembers what it was sent. */
async function openListener() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.headers.authorization ?? ""} ${request.headers["x-codebuff-api-key"] ?? ""}`.trim());
    response.writeHead(404).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("No port");
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

async function openLogin() {
  const world = await openWorld({ conversations: [{ each: "prompt", turns: [{ text: "Hello.", times: "always" }] }] });
  onTestFinished(() => world.close());
  const account = await openAccount(world);
  await account.serve();
  const { CODEBUFF_API_KEY: key, CODEBUFF_BASE_URL: url } = account.env;
  const env = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined };
  return { world, key, url, env };
}

describe("codebuff login", () => {
  it("--key keeps the key with its server, which later commands use", async () => {
    const { world, key, url, env } = await openLogin();
    const login = await world.run(["login", "--base-url", `${url}/`, "--key", key], { env });
    expect(login).toMatchObject({ code: 0, out: expect.stringContaining(`Logged in at ${url} as ann@example.com`) });
    const kept = JSON.parse(await readFile(join(world.home, ".codebuff/auth.json"), "utf8"));
    expect(kept).toEqual({ apiKey: key, baseUrl: url });
    expect((await world.run(["doctor"], { env })).out).toContain(`server ${url}`);
    expect(await world.run(["-n", "hi"], { env })).toMatchObject({ code: 0, out: "Hello.\n" });
  });

  it("--key - reads it from standard input, and a wrong one is not kept", async () => {
    const { world, key, url, env } = await openLogin();
    const wrong = await world.run(["login", "--base-url", url, "--key", "-"], { env, stdin: "cb-wrong\n" });
    expect(wrong.code).toBe(3);
    await expect(readFile(join(world.home, ".codebuff/auth.json"), "utf8")).rejects.toThrow();
    expect((await world.run(["login", "--base-url", url, "--key", "-"], { env, stdin: `${key}\n` })).code).toBe(0);
  });

  it("never sends the key to another address than its own", async () => {
    const { world, key, url, env } = await openLogin();
    await world.run(["login", "--base-url", url, "--key", key], { env });
    const other = await openListener();
    const run = await world.run(["-n", "--base-url", other.url, "hi"], { env });
    expect(run.code).toBe(3);
    expect(run.err).toContain(`is for ${url} and is not sent to ${other.url}`);
    await world.run(["doctor"], { env: { ...env, CODEBUFF_BASE_URL: other.url } });
    await world.run(["publish", "x", "--base-url", other.url], { env });
    await world.run(["logout"], { env: { ...env, CODEBUFF_BASE_URL: other.url } });
    expect(other.seen.filter((header) => header !== "")).toEqual([]);
  });
});
