import { CreateSession, Failure } from "@muster/schema";
import { expect, test } from "vitest";
import { adapters } from "../index.ts";
import { claude } from "./index.ts";

test.each<[string, Partial<CreateSession>]>([
  ["model", { model: "two words" }],
  ["model", { model: "--dangerous" }],
  ["variant", { variant: "turbo" }],
  ["agentMode", { agentMode: "dream" }],
  ["env", { env: { ANTHROPIC_API_KEY: "sk-ant-x" } }],
  ["env", { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" } }],
  ["env", { env: { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: "1" } }],
  ["env", { env: { IS_SANDBOX: "1" } }],
  ["env", { env: { HOME: "/" } }],
  ["agentOptions", { agentOptions: { allowedTools: ["Bash"] } }],
  ["agentOptions", { agentOptions: { permissionPromptTool: "none" } }],
  ["agentOptions", { agentOptions: { addDirectories: "/etc" } }],
])("%s is refused: %o", async (option, settings) => {
  const checked = claude.check(CreateSession.parse({ agent: "claude", ...settings }));
  await expect(checked).rejects.toThrow(Failure);
  await expect(checked).rejects.toMatchObject({ code: "unsupported_option", fields: { option } });
});

test("what Claude can do passes", async () => {
  expect(adapters.claude).toBe(claude);
  await claude.check(CreateSession.parse({ agent: "claude" }));
  await claude.check(
    CreateSession.parse({
      agent: "claude",
      model: "claude-sonnet-5-5[1m]",
      variant: "xhigh",
      agentMode: "plan",
      permissionMode: "plan",
      env: { RUST_LOG: "debug" },
      mcp: { files: { command: "files" }, web: { url: "http://127.0.0.1:1/mcp" } },
      agentOptions: { agent: "Explore", disallowedTools: ["WebFetch"], jsonSchema: { type: "object" } },
    }),
  );
});
