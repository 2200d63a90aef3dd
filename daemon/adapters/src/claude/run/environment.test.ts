import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost, openOptions } from "../../../test/host.ts";
import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { accessOf } from "./access.ts";
import { environmentOf } from "./environment.ts";

const credentials = /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN)$/;

async function environment(host: AgentHost, more: Partial<OpenOptions> = {}, isRoot = false) {
  const options = openOptions(host, more);
  return environmentOf(host, options, { access: await accessOf(host, options), isRoot });
}

async function environmentFor(
  env: NodeJS.ProcessEnv,
  options: Partial<OpenOptions> = {},
  files: Record<string, unknown> = {},
) {
  const host = makeHost({ env });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(host.home, name), JSON.stringify(content));
  const all = await environment(host, options);
  return Object.fromEntries(Object.entries(all).filter(([name]) => credentials.test(name)));
}

test("the token of the session is the only credential", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-daemon", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-daemon" };
  expect(await environmentFor(env, { token: "sk-ant-mine" })).toEqual({ ANTHROPIC_API_KEY: "sk-ant-mine" });
  expect(await environmentFor(env, { token: "sk-ant-oat01-mine" })).toEqual({
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-mine",
  });
});

test("a key of this machine is passed on under the name Claude knows", async () => {
  expect(await environmentFor({ CLAUDE_API_KEY: "sk-ant-daemon" })).toEqual({ ANTHROPIC_API_KEY: "sk-ant-daemon" });
  const file = { ".claude.json": { primaryApiKey: "sk-ant-file" } };
  expect(await environmentFor({}, {}, file)).toEqual({ ANTHROPIC_API_KEY: "sk-ant-file" });
});

test("an endpoint of the session never sees a key or login of this machine", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-daemon", ANTHROPIC_CUSTOM_HEADERS: "x-team: secret" };
  const file = { ".claude.json": { primaryApiKey: "sk-ant-file" } };
  const baseUrl = "http://127.0.0.1:1";
  // Not nothing: without any key Claude would look for its own login and send that.
  expect(await environmentFor(env, { baseUrl }, file)).toEqual({ ANTHROPIC_API_KEY: "sk-ant-none" });
  const host = makeHost({ env });
  const all = await environment(host, { baseUrl, token: "sk-ant-mine" });
  expect(all).toMatchObject({ ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: "sk-ant-mine" });
  expect(JSON.stringify(all)).not.toMatch(/daemon|secret/);
});

test("the operator's endpoint is used when the session names none", async () => {
  const host = makeHost({ env: { ANTHROPIC_BASE_URL: "http://gateway.test", ANTHROPIC_API_KEY: "sk-ant-daemon" } });
  expect(await environment(host)).toMatchObject({
    ANTHROPIC_BASE_URL: "http://gateway.test",
    ANTHROPIC_API_KEY: "sk-ant-daemon",
  });
});

test("a sandbox is claimed only for root, and only when permissions are to be skipped", async () => {
  const host = makeHost({ env: { ANTHROPIC_API_KEY: "sk-ant-daemon" } });
  const claims = async (permissionMode: OpenOptions["permissionMode"], isRoot: boolean) =>
    (await environment(host, { permissionMode }, isRoot)).IS_SANDBOX;
  expect(await claims("bypass", true)).toBe("1");
  expect(await claims("bypass", false)).toBeUndefined();
  expect(await claims("default", true)).toBeUndefined();
});

test("retries are few and nothing but the model is called", async () => {
  const host = makeHost({ env: { ANTHROPIC_API_KEY: "sk-ant-daemon" } });
  expect(await environment(host, { env: { RUST_LOG: "debug" } })).toMatchObject({
    RUST_LOG: "debug",
    CLAUDE_CODE_MAX_RETRIES: "3",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  });
});

test("without any key it says where one would be found, unless there is another way to a model", async () => {
  const failure = { type: "token_error", message: expect.stringContaining("ANTHROPIC_API_KEY") };
  await expect(environmentFor({})).rejects.toMatchObject(failure);
  expect(await environmentFor({ CLAUDE_CODE_USE_BEDROCK: "1" })).toEqual({});
  expect(await environmentFor({ ANTHROPIC_BASE_URL: "http://gateway.test" })).toEqual({});
});
