import { CreateSession, Failure } from "@muster/schema";
import { expect, test } from "vitest";
import { makeHost, openOptions } from "../../test/host.ts";
import { adapters } from "../index.ts";
import { codex } from "./index.ts";

test.each<[string, Partial<CreateSession>]>([
  ["variant", { variant: "enormous" }],
  ["agentMode", { agentMode: "dream" }],
  ["env", { env: { CODEX_HOME: "/elsewhere" } }],
  ["env", { env: { OPENAI_BASE_URL: "http://elsewhere" } }],
  ["agentOptions", { agentOptions: { sandbox: "off" } }],
  ["agentOptions", { agentOptions: { home: "elsewhere" } }],
])("%s is refused when Codex has no such thing: %o", async (option, settings) => {
  const checked = codex.check(CreateSession.parse({ agent: "codex", ...settings }));
  await expect(checked).rejects.toThrow(Failure);
  await expect(checked).rejects.toMatchObject({ code: "unsupported_option", fields: { option } });
});

test("what Codex can do passes", async () => {
  const settings = { model: "any", variant: "xhigh", agentMode: "plan", mcp: { files: { command: "files" } } };
  await codex.check(
    CreateSession.parse({ agent: "codex", ...settings, agentOptions: { home: "user" }, env: { A: "1" } }),
  );
  await codex.check(CreateSession.parse({ agent: "codex" }));
  expect(adapters.codex).toBe(codex);
});

test("without a key and a login a session says so", async () => {
  const host = makeHost({ env: { PATH: "" } });
  await expect(codex.open(host, openOptions(host))).rejects.toMatchObject({ type: "token_error" });
});

test("a directory that is gone is told before anything is started", async () => {
  const host = makeHost({ env: { PATH: "" } });
  const options = openOptions(host, { token: "sk-test", directory: "/no/such/directory" });
  await expect(codex.open(host, options)).rejects.toMatchObject({ type: "spawn_failed" });
});

test("models are not told, and nothing is downloaded for them, while the program is missing", async () => {
  const host = makeHost({ env: { PATH: "" } });
  await expect(codex.models(host)).rejects.toMatchObject({ code: "agent_unhealthy" });
  expect(await codex.info(host)).toMatchObject({ installed: false, credentialsAvailable: false });
});
