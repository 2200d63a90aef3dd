import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, onTestFinished } from "vitest";
import { testsOf } from "../../server/test/agents/installed-agent.ts";
import { temporaryFolder } from "./daemon-process.ts";
import { openEditor } from "./editor.ts";

const { program, test } = await testsOf("claude");

test("Claude Code that comes to this machine while the editor runs tells its models and efforts, and is loaded with its key", async () => {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Here.", times: "always" }] }] } });
  onTestFinished(() => llm.close());
  const key = join(folder, "key");
  await writeFile(key, "sk-ant-test-000");
  const bin = join(folder, "bin");
  await mkdir(bin);
  const env = { PATH: [bin, process.env.PATH].join(delimiter) };
  const args = ["--agent", "claude", "--base-url", llm.url, "--agent-token-file", key];
  const editor = await openEditor("data", args, { folder, env });
  await symlink(program?.path ?? "", join(bin, "claude"));
  const { sessionId, configOptions } = await editor.begin();
  expect(configOptions?.map(({ id }) => id)).toEqual(["model", "variant", "permissionMode"]);
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  await editor.leave();

  const again = await openEditor("data", args, { folder, env });
  const where = { sessionId, cwd: folder, mcpServers: [] };
  const loaded = await again.agent.request<acp.LoadSessionResponse>(acp.methods.agent.session.load, where);
  // By now the session knows its model by the full name, which no list has as an id.
  const variant = loaded.configOptions?.find(({ id }) => id === "variant");
  expect(variant).toMatchObject({ options: expect.arrayContaining([expect.objectContaining({ value: "high" })]) });
  const [model] = loaded.configOptions ?? [];
  expect(model).toMatchObject({ id: "model", currentValue: expect.not.stringMatching(/\d/) });
  expect(await again.prompt(sessionId, "and again")).toBe("end_turn");
  expect(again.said("agent_message_chunk")).toBe("Here.Here.");
});
