import { expect, it } from "vitest";
import { secretNames, secretValues, splitSecrets, withoutSecrets } from "./secrets.ts";

const body = {
  agent: "mock",
  token: "sk-secret-token",
  env: { LANG: "C", GITHUB_TOKEN: "gh-secret" },
  mcp: {
    open: { command: "server", args: ["--fast"] },
    keyed: { url: "https://example.com/mcp", headers: { Authorization: "Bearer abc" } },
    local: { command: "server", env: { API_KEY: "local-secret" } },
  },
};

it("keeps apart what may be stored and what may not", () => {
  const { plain, secrets } = splitSecrets(body);
  expect(plain).toEqual({ env: { LANG: "C" }, mcp: { open: body.mcp.open } });
  expect(secretNames(secrets)).toEqual(["token", "env.GITHUB_TOKEN", "mcp.keyed", "mcp.local"]);
  expect(secretValues(secrets)).toEqual(["sk-secret-token", "gh-secret", "Bearer abc", "local-secret"]);
});

it("compares two create bodies without looking at secret values", () => {
  const text = JSON.stringify(withoutSecrets(body));
  for (const value of secretValues(splitSecrets(body).secrets)) expect(text).not.toContain(value);
  expect(withoutSecrets({ ...body, token: "another" })).toEqual(withoutSecrets(body));
  expect(withoutSecrets({ agent: "mock" })).not.toEqual(withoutSecrets({ agent: "mock", token: "t" }));
});
