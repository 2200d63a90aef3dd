import { expect, test } from "vitest";
import { makeHost } from "../../../test/host.ts";
import { accessOf } from "./environment.ts";

const machine = {
  ANTHROPIC_API_KEY: "sk-ant-machine",
  ANTHROPIC_BASE_URL: "http://gateway",
  CODEBUFF_API_KEY: "cb-machine",
  CODEBUFF_BASE_URL: "http://codebuff.operator",
};

function access(options: { token?: string; baseUrl?: string; provider?: string }, env: NodeJS.ProcessEnv = machine) {
  const { provider, ...rest } = options;
  return accessOf({ ...makeHost(), env }, { ...rest, agentOptions: provider === undefined ? {} : { provider } });
}

test.each([
  ["sk-ant-own", undefined, "anthropic", { ANTHROPIC_API_KEY: "sk-ant-own" }],
  ["sk-or-own", undefined, "openrouter", { OPENROUTER_API_KEY: "sk-or-own" }],
  ["sk-own", undefined, "openai", { OPENAI_API_KEY: "sk-own" }],
  ["any", "gemini", "gemini", { GEMINI_API_KEY: "any" }],
  ["cb-own", undefined, undefined, { CODEBUFF_API_KEY: "cb-own" }],
])("the token %s of a session, said to be of %s, is a key of %s", (token, named, provider, env) => {
  expect(access({ token, provider: named }, {})).toEqual({ flags: { provider }, env });
});

test("a token goes to the endpoint of the session, else to the operator's", () => {
  const own = { token: "cb-own", baseUrl: "http://codebuff.session" };
  expect(access(own).env).toEqual({ CODEBUFF_API_KEY: "cb-own", CODEBUFF_BASE_URL: "http://codebuff.session" });
  expect(access({ token: "cb-own" }).env).toEqual({
    CODEBUFF_API_KEY: "cb-own",
    CODEBUFF_BASE_URL: "http://codebuff.operator",
  });
  expect(access({ token: "sk-ant-own" }).env).toEqual({
    ANTHROPIC_API_KEY: "sk-ant-own",
    ANTHROPIC_BASE_URL: "http://gateway",
  });
});

test("an endpoint of the session never sees a key of this machine", () => {
  const { env } = access({ baseUrl: "http://elsewhere" });
  expect(env.CODEBUFF_BASE_URL).toBe("http://elsewhere");
  expect(JSON.stringify(env)).not.toContain("machine");
  expect(Object.values(access({ baseUrl: "http://elsewhere", provider: "anthropic" }).env)).not.toContain(
    "sk-ant-machine",
  );
});

test("a session without token and endpoint has the keys of the machine, each with its own endpoint", () => {
  expect(access({})).toEqual({ flags: { provider: undefined }, env: machine });
  expect(access({ provider: "anthropic" }).flags).toEqual({ provider: "anthropic" });
});
