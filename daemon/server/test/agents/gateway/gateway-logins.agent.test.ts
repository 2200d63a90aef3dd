import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@muster/schema";
import { expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { CountedModel } from "./counted-model.ts";
import { gatewayHome, modelOf, talkTo } from "./gateway-home.ts";

const { program, test } = await testsOf("claude");

test("a login that is given as the token of a session is hidden as a key is", async () => {
  const token = "sk-ant-oat01-given-0123456789abcdef";
  const model = new CountedModel();
  const llm = await modelOf([
    { turns: [model.turn({ expect: { header: { authorization: `=Bearer ${token}` } }, text: "Hello." })] },
  ]);
  const { home, daemon } = await gatewayHome({ claude: program?.path ?? "" });
  const talk = await talkTo(daemon, { agent: "claude", token, baseUrl: llm.url, directory: home.path });
  expect((await talk.say("hello")).end).toMatchObject({ status: "completed", wire: model.counts });
  expect(await daemon.api.get<Session>(talk.path)).toMatchObject({ keys: "gateway" });
  expect(llm.failures()).toEqual([]);
});

test("a login of the agent's own passes with its header, and is counted", async () => {
  const accessToken = "sk-ant-oat01-own-0123456789abcdef";
  const model = new CountedModel();
  const llm = await modelOf([
    { turns: [model.turn({ expect: { header: { authorization: `=Bearer ${accessToken}` } }, text: "Hello." })] },
  ]);
  const endpoint = { ANTHROPIC_BASE_URL: llm.url };
  const { home, daemon } = await gatewayHome({ claude: program?.path ?? "" }, { env: endpoint });
  await mkdir(join(home.path, ".claude"), { recursive: true });
  const claudeAiOauth = {
    accessToken,
    refreshToken: "sk-ant-ort01-own",
    expiresAt: Date.now() + 3_600_000 * 24,
    scopes: ["user:inference", "user:profile"],
    subscriptionType: "max",
  };
  await writeFile(join(home.path, ".claude", ".credentials.json"), JSON.stringify({ claudeAiOauth }));
  const talk = await talkTo(daemon, { agent: "claude", directory: home.path });
  expect((await talk.say("hello")).end).toMatchObject({ status: "completed", wire: model.counts });
  expect(await daemon.api.get<Session>(talk.path)).toMatchObject({ keys: "agent" });
  expect(llm.failures()).toEqual([]);
});
