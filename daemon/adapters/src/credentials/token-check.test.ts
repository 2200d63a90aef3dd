import { expect, it } from "vitest";
import { startFileServer } from "../../test/file-server.ts";
import { makeHost } from "../../test/host.ts";
import { ampCredentials as amp } from "../amp/credentials.ts";
import { claudeCredentials as claude } from "../claude/credentials.ts";
import { codebuffCredentials as codebuff } from "../codebuff/credentials.ts";
import { codexCredentials as codex } from "../codex/credentials.ts";
import { opencodeCredentials as opencode } from "../opencode/credentials.ts";
import { checkToken } from "./token-check.ts";

async function provider(status: number) {
  const seen: Record<string, unknown>[] = [];
  const { url } = await startFileServer({
    "/v1/models": ({ headers }, response) => {
      seen.push({ key: headers["x-api-key"], authorization: headers.authorization });
      response.writeHead(status).end("{}");
    },
  });
  return { url, seen };
}

it.each([
  [200, "accepted"],
  [401, "refused"],
  [403, "refused"],
  [404, "unknown"],
  [500, "unknown"],
])("a model list that answers %s means %s", async (status, verdict) => {
  const { url } = await provider(status);
  expect(await checkToken(makeHost({ env: {} }), claude, { token: "k", baseUrl: `${url}/` })).toBe(verdict);
});

it("every provider gets the key as it wants it", async () => {
  const { url, seen } = await provider(200);
  const host = makeHost({ env: {} });
  await checkToken(host, claude, { token: "k1", baseUrl: url });
  await checkToken(host, codex, { token: "k2", baseUrl: url });
  await checkToken(host, opencode, { token: "k3", baseUrl: url, model: "anthropic/claude-opus-5-5" });
  await checkToken(host, opencode, { token: "k4", baseUrl: url, model: "openai/gpt-6" });
  expect(seen).toEqual([{ key: "k1" }, { authorization: "Bearer k2" }, { key: "k3" }, { authorization: "Bearer k4" }]);
});

it("where there is nobody to ask the verdict is unknown", async () => {
  const { url, seen } = await provider(401);
  const host = makeHost({ env: {} });
  expect(await checkToken(host, amp, { token: "k", baseUrl: url })).toBe("unknown");
  expect(await checkToken(host, codebuff, { token: "k", baseUrl: url })).toBe("unknown");
  expect(await checkToken(host, opencode, { token: "k", baseUrl: url })).toBe("unknown");
  expect(await checkToken(host, opencode, { token: "k", baseUrl: url, model: "toString/x" })).toBe("unknown");
  expect(await checkToken(host, claude, { token: "k", baseUrl: "http://127.0.0.1:1" })).toBe("unknown");
  expect(seen).toEqual([]);
});

it("a key that was only discovered is never sent to a base URL", async () => {
  const { url, seen } = await provider(200);
  const host = makeHost({ env: { ANTHROPIC_API_KEY: "sk-ant-discovered" } });
  expect(await checkToken(host, claude, { baseUrl: url })).toBe("unknown");
  expect(seen).toEqual([]);
});
