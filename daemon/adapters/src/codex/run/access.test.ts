import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost } from "../../../test/host.ts";
import { accessOf, providerConfig } from "./access.ts";

const openai = "https://api.openai.com/v1";

test("a session's token goes to OpenAI, from a home of the daemon's", async () => {
  const host = makeHost({ env: { OPENAI_API_KEY: "sk-found" } });
  const access = await accessOf(host, { token: "sk-own" }, {});
  expect(access).toEqual({
    home: join(host.dataDirectory, "homes", "codex"),
    provider: { baseUrl: openai, token: "sk-own" },
  });
});

test.each([
  ["http://127.0.0.1:1", "http://127.0.0.1:1/v1"],
  ["http://127.0.0.1:1/gateway/", "http://127.0.0.1:1/gateway/v1"],
  ["http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"],
])("%s is asked at %s, and never with a key that was only found", async (baseUrl, asked) => {
  const host = makeHost({ env: { OPENAI_API_KEY: "sk-found" } });
  expect((await accessOf(host, { baseUrl }, {})).provider).toEqual({ baseUrl: asked });
});

test("a key in the daemon's environment is used, which Codex itself would ignore", async () => {
  const host = makeHost({ env: { OPENAI_API_KEY: "sk-found" } });
  expect((await accessOf(host, {}, {})).provider).toEqual({ baseUrl: openai, token: "sk-found" });
});

test("a login of the user's needs the user's home, and nothing is passed on", async () => {
  const host = makeHost({ env: {} });
  const home = join(host.home, ".codex");
  mkdirSync(home, { recursive: true });
  const tokens = { access_token: "a.b.c", refresh_token: "r" };
  writeFileSync(join(home, "auth.json"), JSON.stringify({ OPENAI_API_KEY: null, tokens }));
  expect(await accessOf(host, {}, {})).toEqual({ home });
});

test("the user's home can be asked for, with the session's own key or without", async () => {
  const host = makeHost({ env: {} });
  const home = join(host.home, ".codex");
  expect(await accessOf(host, {}, { home: "user" })).toEqual({ home });
  expect(await accessOf(host, { token: "sk-own" }, { home: "user" })).toMatchObject({
    home,
    provider: { token: "sk-own" },
  });
});

test("without anything it is said what is missing", async () => {
  await expect(accessOf(makeHost({ env: {} }), {}, {})).rejects.toMatchObject({ type: "token_error" });
});

test("a provider without a key has none in its configuration", () => {
  expect(providerConfig({ baseUrl: openai })).not.toHaveProperty("experimental_bearer_token");
});

test("without an endpoint of the session's own it is the operator's, with the key that is found, or none", async () => {
  const operators = { OPENAI_BASE_URL: "http://127.0.0.1:1" };
  const baseUrl = "http://127.0.0.1:1/v1";
  const provider = async (env: Record<string, string>, options: object) =>
    (await accessOf(makeHost({ env: { ...operators, ...env } }), options, {})).provider;
  expect(await provider({ OPENAI_API_KEY: "sk-found" }, {})).toEqual({ baseUrl, token: "sk-found" });
  expect(await provider({ OPENAI_API_KEY: "sk-found" }, { token: "sk-own" })).toEqual({ baseUrl, token: "sk-own" });
  expect(await provider({}, {})).toEqual({ baseUrl });
  expect(await provider({}, { baseUrl: "http://127.0.0.1:2" })).toEqual({ baseUrl: "http://127.0.0.1:2/v1" });
});
