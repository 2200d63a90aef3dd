import { Conversation } from "@muster/conformance";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished } from "vitest";
import { DaemonHome, type DaemonProcess } from "../../daemon-process.ts";

/** How a session of each agent behind the gateway is begun. Each model has a price. */
export const behindGateway = {
  claude: { token: "sk-ant-real-key-314159265358979", model: "claude-sonnet-4-5" },
  codex: { token: "sk-real-key-271828182845904523", model: "gpt-6.1-sol" },
  opencode: { token: "sk-ant-real-key-314159265358979", model: "anthropic/claude-sonnet-4-5" },
  codebuff: { token: "sk-ant-real-key-314159265358979" },
} as const;
export type BehindGateway = keyof typeof behindGateway;
export const agentsBehindGateway = Object.keys(behindGateway) as BehindGateway[];

/** A daemon in a home of its own that finds these programs of agents. */
export async function gatewayHome(
  programs: Readonly<Partial<Record<BehindGateway, string>>>,
  { args = [], env }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<{ home: DaemonHome; daemon: DaemonProcess }> {
  const sources = Object.entries(programs).flatMap(([agent, path]) => ["--agent-source", `${agent}=path:${path}`]);
  const home = await DaemonHome.make({ args: ["--no-token", ...sources, ...args], env });
  onTestFinished(() => home.remove());
  return { home, daemon: await home.start() };
}

/** A model that follows the script until the test is over. */
export async function modelOf(conversations: ScriptInput["conversations"]) {
  const llm = await startScriptedLlm({ script: { conversations } });
  onTestFinished(() => llm.close());
  return llm;
}

export async function talkTo(daemon: DaemonProcess, settings: Record<string, unknown>): Promise<Conversation> {
  const talk = await Conversation.open(daemon.api, { permissionMode: "bypass", ...settings });
  onTestFinished(() => talk.leave());
  return talk;
}
