import { Conversation } from "@muster/conformance";
import { type AgentInfo, type Capabilities, PermissionMode } from "@muster/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/** What is asked for when a session is made → how. */
const asking = {
  models: { model: "anthropic/any" },
  modes: { agentMode: "build" },
  variants: { variant: "high" },
  mcp: { mcp: { demo: { command: "true" } } },
  systemPrompt: { systemPrompt: "Be kind." },
  structuredOutput: { agentOptions: { jsonSchema: { type: "object" } } },
} satisfies Partial<Record<keyof Capabilities, object>>;

let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make({ args: ["--no-token"] });
  daemon = await home.start();
});
afterAll(() => home.remove());

describe("what an agent says it cannot do is refused before anything is there", () => {
  it.each(["claude", "codex", "opencode", "amp", "codebuff", "mock"])("%s", async (agent) => {
    const { capabilities } = await daemon.api.get<AgentInfo>(`/agents/${agent}`);
    if (capabilities === undefined) throw new Error(`${agent} tells nothing of itself`);
    const missing = Object.entries(asking).filter(([name]) => !capabilities[name as keyof typeof asking]);
    const modes = PermissionMode.options.filter((mode) => !capabilities.permissionModes.includes(mode));
    const refused = [
      ...missing.map(([, settings]) => settings),
      ...modes.map((permissionMode) => ({ permissionMode })),
    ];
    for (const settings of refused) {
      const answer = await daemon.api.request("POST", "/sessions/refused", { agent, ...settings });
      expect([settings, answer]).toMatchObject([settings, { status: 400, body: { code: "unsupported_option" } }]);
    }
    expect((await daemon.api.request("GET", "/sessions/refused")).status).toBe(404);
    expect(home.agents()).toEqual([]);
  });
});

it("a setting that cannot be had is refused later too, and nothing changes", async () => {
  const talk = await Conversation.open(daemon.api);
  await talk.say("echo ready");
  const before = await daemon.api.log(talk.sessionId);
  const answer = await daemon.api.request("PATCH", talk.path, { mcp: { demo: { command: "true" } } });
  expect(answer).toMatchObject({ status: 400, body: { code: "unsupported_option" } });
  expect(await daemon.api.log(talk.sessionId)).toEqual(before);
  await talk.finish();
});
