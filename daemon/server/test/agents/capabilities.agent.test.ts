import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentInfo, Capabilities, type LiveSetting, observedCapabilities } from "@muster/schema";
import { describe, expect, test as plainTest } from "vitest";
import { AgentHome, type Talk } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";
import type { TestedAgent } from "./installed-agent.ts";
import { mcpServer } from "./mcp-demo.ts";

/** A picture of one pixel. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Row {
  /** Names of its own for what is asked for. */
  model?: string;
  otherModel?: string;
  variant?: string;
  agentMode: string;
  otherMode?: string;
}

const rows: Readonly<Record<TestedAgent, Row>> = {
  claude: {
    model: "claude-sonnet-4-5",
    otherModel: "claude-opus-4-5",
    variant: "high",
    agentMode: "build",
    otherMode: "plan",
  },
  codex: {
    model: "gpt-5.5",
    otherModel: "gpt-5.4",
    variant: "high",
    agentMode: "default",
    otherMode: "plan",
  },
  opencode: {
    model: "anthropic/claude-sonnet-4-5",
    otherModel: "anthropic/claude-opus-4-5",
    variant: "high",
    agentMode: "build",
    otherMode: "plan",
  },
  codebuff: {
    model: "anthropic/claude-sonnet-4.5",
    otherModel: "anthropic/claude-opus-4.5",
    variant: "high",
    agentMode: "default",
    otherMode: "plan",
  },
  amp: {
    // The only one this build takes in its stream form.
    agentMode: "smart",
  },
};

const isLive = (setting: LiveSetting, { live }: Capabilities) => live.includes(setting);

describe.each(Object.keys(rows) as TestedAgent[])("%s", async (agent) => {
  const row = rows[agent];
  const { settings, script } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();
  const begin = (wishes: Record<string, unknown>) => {
    const answering = { turns: [{ text: "Yes.", times: "always" as const }] };
    const conversations = [...(script?.conversations ?? []), answering];
    return home.beginWith({ routes: script?.routes, conversations }, wishes);
  };
  const told = async () => {
    const { capabilities, serverStatus } = await home.daemon.api.get<AgentInfo>(`/agents/${agent}`);
    if (capabilities === undefined) throw new Error(`${agent} tells nothing of itself`);
    return { capabilities, serverStatus };
  };

  test("everything it says can be asked for reaches the model", async () => {
    const { capabilities } = await told();
    const program = join(await home.directory(), "server.mjs");
    await writeFile(program, mcpServer);
    const mcp = { demo: { command: process.execPath, args: [program], env: { ECHO_SECRET: "s" } } };
    const { model, variant, agentMode } = row;
    const session = await begin({
      agentMode: capabilities.modes ? agentMode : undefined,
      model: capabilities.models ? model : undefined,
      variant: capabilities.variants ? variant : undefined,
      systemPrompt: capabilities.systemPrompt ? "Speak of marmalade." : undefined,
      mcp: capabilities.mcp ? mcp : undefined,
    });
    const note = { data: Buffer.from("a note").toString("base64"), mime: "text/plain", filename: "note.txt" };
    const seen = { data: picture, mime: "image/png", filename: "pixel.png" };
    const attachments = [...(capabilities.attachments ? [note] : []), ...(capabilities.images ? [seen] : [])];
    const turn = await session.talk.say("look at this", { attachments });
    expect(turn.end.status).toBe("completed");
    const heard = mainRequest(session);
    const modelName = model?.slice(model.lastIndexOf("/") + 1).replaceAll(".", "-");
    expect({
      models: modelName !== undefined && heard.replaceAll(".", "-").includes(`"model":"${modelName}`),
      modes: (await session.talk.view()).agentMode === agentMode,
      variants: variant !== undefined && (await session.talk.view()).variant === variant,
      systemPrompt: heard.includes("marmalade"),
      mcp: heard.includes("echo") && heard.includes("demo"),
      attachments: ["note.txt", "a note", "/attachments/"].some((sign) => heard.includes(sign)),
      images: heard.includes(picture),
    }).toEqual({
      models: capabilities.models,
      modes: capabilities.modes,
      variants: capabilities.variants,
      systemPrompt: capabilities.systemPrompt,
      mcp: capabilities.mcp,
      attachments: capabilities.attachments,
      images: capabilities.images,
    });
    const { serverStatus } = await told();
    expect((serverStatus?.sessions ?? 0) > 0).toBe(capabilities.sharedServer);
    await home.finish(session);
  });

  test("a setting is changed while it runs, or by another life, as it says", async () => {
    const { capabilities } = await told();
    const session = await begin({ model: row.model, permissionMode: "default" });
    await session.talk.say("hello");
    const changes: [LiveSetting, string | undefined][] = [
      ["model", capabilities.models ? row.otherModel : undefined],
      ["variant", capabilities.variants ? row.variant : undefined],
      ["permissionMode", "bypass"],
      ["agentMode", capabilities.modes ? row.otherMode : undefined],
    ];
    // One that is not live tells of all: they are arguments of a start.
    const other = changes.find(([setting, value]) => value !== undefined && !isLive(setting, capabilities));
    const tried = changes.filter((change) => change === other || isLive(change[0], capabilities));
    for (const [setting, value] of tried) {
      const before = livesOf(session);
      await home.daemon.api.ask("PATCH", session.talk.path, { [setting]: value });
      expect((await session.talk.say(`after ${setting}`)).end.status).toBe("completed");
      expect((await session.talk.view())[setting]).toBe(value);
      expect([setting, livesOf(session) === before]).toEqual([setting, isLive(setting, capabilities)]);
    }
    await home.finish(session);
  });
});

/** The last request of the conversation itself. */
function mainRequest({ llm }: Talk): string {
  const bodies = llm.requests().map(({ body }) => JSON.stringify(body));
  return bodies.findLast((body) => body.includes("look at this") && !body.includes("set_title")) ?? "";
}

/** How often an agent was ready for this session. */
function livesOf({ talk }: Talk): number {
  return talk.events.filter(
    ({ type, data }) => type === "session.started" || ("agentState" in data && data.agentState === "ready"),
  ).length;
}

/** Where each capability that is asked for is shown to be true. False ones: unsupported-options.test.ts. */
const shownIn: Readonly<Record<Exclude<keyof Capabilities, (typeof observedCapabilities)[number]>, string>> = {
  interrupt: "the contract",
  steer: "the contract",
  resume: "the contract",
  models: "here",
  modes: "here",
  variants: "here",
  images: "here",
  attachments: "here",
  mcp: "here",
  systemPrompt: "here",
  sharedServer: "here",
  live: "here",
  structuredOutput: "claude-settings.agent.test.ts",
  permissionModes: "permission-modes.agent.test.ts",
  gateway: "gateway-agents.agent.test.ts",
};

plainTest("no capability is without a proof", () => {
  expect([...Object.keys(shownIn), ...observedCapabilities].sort()).toEqual(Object.keys(Capabilities.shape).sort());
});
