import type { ScriptInput } from "@muster/scripted-llm";
import { onTestFinished } from "vitest";
import { type Line, openWorld, type World } from "../command.ts";

type Conversations = NonNullable<ScriptInput["conversations"]>;

/** A world whose model answers `/agent` with these turns; gone when the test has finished. */
export async function openAgentWorld(
  turns: Conversations[number]["turns"],
  files: Record<string, string> = {},
  others: Conversations = [],
): Promise<World> {
  const agent = { name: "agent", match: { system: "Codebuff in agent mode" }, turns };
  const world = await openWorld({ conversations: [agent, ...others] }, files);
  onTestFinished(() => world.close());
  return world;
}

export const xmlCall = (name: string, params: Record<string, string>) =>
  `<${name}>\n${Object.entries(params)
    .map(([key, value]) => `<${key}>${value}</${key}>\n`)
    .join("")}</${name}>`;

export const terminal = (command: string) => xmlCall("run_terminal_command", { command });
export const done = (text: string) => `${text}\n<end_turn></end_turn>`;

/** A slow machine: the agent looks again until the terminal has said that. */
export const stillRunning = (text: string) => ({
  match: { not: { body: text } },
  times: 20,
  text: `It is still running.\n${xmlCall("run_terminal_command", { yield_seconds: "30" })}`,
});

/** The values of a tool's results, in order. */
export function resultsOf(lines: readonly Line[], toolName: string): Record<string, unknown>[] {
  return lines
    .filter((line) => line.type === "tool_result" && line.toolName === toolName)
    .flatMap((line) => (line.output as { value: Record<string, unknown> }[]).map(({ value }) => value));
}
