import { Failure } from "@muster/schema";
import { expect, test } from "vitest";
import { makeHost, openOptions } from "../../test/host.ts";
import { checkSettings } from "./options.ts";
import { configurationOf } from "./run/configuration.ts";
import { environmentOf, secretNames } from "./run/environment.ts";
import { shellWithoutSecrets } from "./run/shell-without-secrets.ts";

function refusedOption(settings: object): unknown {
  try {
    checkSettings({ agent: "opencode", ...settings });
    return undefined;
  } catch (error) {
    return error instanceof Failure && error.code === "unsupported_option" ? error.fields?.option : error;
  }
}

test("what OpenCode cannot do is refused by the name of the option", () => {
  const cases: [object, string | undefined][] = [
    [{ model: "anthropic/claude-x" }, undefined],
    [{ model: "openrouter/some/model" }, undefined],
    [{ model: "claude-x" }, "model"],
    [{ token: "k" }, "token"],
    [{ baseUrl: "http://127.0.0.1:1" }, "baseUrl"],
    [{ env: { FOO: "1" } }, undefined],
    [{ env: { OPENCODE_PERMISSION: "{}" } }, "env"],
    [{ env: { ANTHROPIC_API_KEY: "k" } }, "env"],
    [{ agentOptions: { freeProvider: true, refreshModels: true } }, undefined],
    [{ agentOptions: { permission: "allow" } }, "agentOptions"],
  ];
  expect(cases.map(([settings]) => refusedOption(settings))).toEqual(cases.map(([, option]) => option));
});

test("an endpoint gets the path its provider's protocol needs, and any model", () => {
  const providerOf = (model: string, baseUrl: string) =>
    configurationOf(openOptions(makeHost(), { model, baseUrl }), "/bin/sh").provider;
  expect(providerOf("anthropic/claude-x", "http://gateway:1/")).toEqual({
    anthropic: { options: { baseURL: "http://gateway:1/v1" }, models: { "claude-x": {} } },
  });
  expect(providerOf("google/gemini-x", "http://gateway:1")).toMatchObject({
    google: { options: { baseURL: "http://gateway:1/v1beta" } },
  });
  expect(providerOf("house/a/b", "http://gateway:1/sub")).toEqual({
    house: {
      npm: "@ai-sdk/openai-compatible",
      name: "house",
      options: { baseURL: "http://gateway:1/sub/v1" },
      models: { "a/b": {} },
    },
  });
});

test("the vendor's free models are off unless they are asked for", () => {
  const disabledFor = (more: object) => configurationOf(openOptions(makeHost(), more), "/bin/sh").disabled_providers;
  expect(disabledFor({})).toEqual(["opencode"]);
  expect(disabledFor({ model: "opencode/free" })).toBeUndefined();
  expect(disabledFor({ agentOptions: { freeProvider: true } })).toBeUndefined();
});

test("a session's key stands alone, an endpoint gets no key of the machine, and else the environment's are passed on", async () => {
  const host = makeHost({ env: { PATH: "/bin", ANTHROPIC_API_KEY: "sk-machine", SECRET: "x" } });
  const environment = (more: object) => environmentOf(host, openOptions(host, more));
  const own = await environment({ model: "house/m", token: "sk-session" });
  expect(JSON.parse(own.OPENCODE_AUTH_CONTENT ?? "")).toEqual({ house: { type: "api", key: "sk-session" } });
  expect(JSON.stringify(own)).not.toContain("sk-machine");
  const endpoint = await environment({ model: "anthropic/m", baseUrl: "http://127.0.0.1:1" });
  expect(JSON.parse(endpoint.OPENCODE_AUTH_CONTENT ?? "")).toEqual({ anthropic: { type: "api", key: "none" } });
  expect(JSON.stringify(endpoint)).not.toContain("sk-machine");
  const machine = await environment({ env: { FOO_KEY: "shown" } });
  expect(machine).toMatchObject({ ANTHROPIC_API_KEY: "sk-machine", FOO_KEY: "shown" });
  expect(secretNames(machine, { FOO_KEY: "shown" })).toContain("ANTHROPIC_API_KEY");
  expect(secretNames(machine, { FOO_KEY: "shown" })).not.toContain("FOO_KEY");
});

test("two lists of secrets have two shells, and the same list has one", async () => {
  const host = makeHost();
  const [one, other, again] = [
    await shellWithoutSecrets(host, ["A", "B"]),
    await shellWithoutSecrets(host, ["A"]),
    await shellWithoutSecrets(host, ["B", "A"]),
  ];
  expect(one).toBe(again);
  expect(one).not.toBe(other);
});

test("endpoints of the daemon's environment are used where the session names none", () => {
  const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1", OPENAI_BASE_URL: "http://127.0.0.1:2/v1/" };
  const providers = (more: object) =>
    configurationOf(openOptions(makeHost(), more), "/bin/sh", { operators: env }).provider;
  expect(providers({ model: "anthropic/m" })).toEqual({
    anthropic: { options: { baseURL: "http://127.0.0.1:1/v1" } },
    openai: { options: { baseURL: "http://127.0.0.1:2/v1" } },
  });
  expect(JSON.stringify(providers({ model: "anthropic/m", baseUrl: "http://127.0.0.1:3" }))).not.toMatch(/:[12]\//);
  expect(configurationOf(openOptions(makeHost(), {}), "/bin/sh").provider).toBeUndefined();
});
