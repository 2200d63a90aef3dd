import { expect, it } from "vitest";
import { holdsSecret } from "./secret-names.ts";
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

it("takes what the caller marks, and URLs that hold a password", () => {
  const marked = (value: string) => ({ secret: true, value }) as const;
  const { plain, secrets } = splitSecrets({
    env: { COLOUR: marked("a marked colour"), PLACE: "postgres://me:hunter%2F2x@db/x", PATH_LIKE: "/usr/bin" },
    mcp: {
      flag: { command: "server", args: ["--quiet", marked("--code=marked-arg")], env: { A: marked("marked-env") } },
      place: { url: marked("https://example.com/marked-url") },
      login: { url: "https://me:in-the-url@example.com/mcp" },
      plain: { url: "https://example.com/mcp" },
    },
  });
  expect(plain).toEqual({ env: { PATH_LIKE: "/usr/bin" }, mcp: { plain: { url: "https://example.com/mcp" } } });
  expect(secretNames(secrets)).toEqual(["env.COLOUR", "env.PLACE", "mcp.flag", "mcp.place", "mcp.login"]);
  expect(secretValues(secrets)).toEqual(
    expect.arrayContaining(["a marked colour", "hunter/2x", "--code=marked-arg", "marked-env", "in-the-url"]),
  );
  expect(secrets.mcp.flag).toEqual({
    command: "server",
    args: ["--quiet", "--code=marked-arg"],
    env: { A: "marked-env" },
  });
});

it("compares two create bodies without looking at secret values", () => {
  const text = JSON.stringify(withoutSecrets(body));
  for (const value of secretValues(splitSecrets(body).secrets)) expect(text).not.toContain(value);
  expect(withoutSecrets({ ...body, token: "another" })).toEqual(withoutSecrets(body));
  expect(withoutSecrets({ agent: "mock" })).not.toEqual(withoutSecrets({ agent: "mock", token: "t" }));
});

it.each([
  ["https://me:word@example.com/mcp", true],
  ["https://example.com/mcp?api_key=abc123", true],
  ["https://example.com/mcp?x=1&Access-Token=abc", true],
  ["https://example.com/mcp?sig=abc", true],
  ["https://example.com/sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", true],
  ["https://example.com/mcp?page=2&signal=on", false],
  ["https://example.com/mcp?key=", false],
  ["https://example.com/keys/token", false],
  ["http://127.0.0.1:8080", false],
])("the address %s holds a secret: %s", (url, holds) => {
  expect(holdsSecret(url)).toBe(holds);
  const { plain, secrets } = splitSecrets({ mcp: { one: { url } } });
  expect([Object.keys(plain.mcp), Object.keys(secrets.mcp)]).toEqual(holds ? [[], ["one"]] : [["one"], []]);
});
