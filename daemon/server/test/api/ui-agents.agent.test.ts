import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ScriptInput } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { AgentHome } from "../agents/agent-home.ts";
import { everyAgent } from "../agents/every-agent.ts";
import { answer, chatOn, reasoningOf, textOf, toolsOf, type UiChat } from "./ui-chat.ts";

/** What the model says: a thought, a command that needs leave, its end; then it refuses to work at all. */
const turns: NonNullable<ScriptInput["conversations"][number]["turns"]> = [
  {
    reasoning: "A file is wanted.",
    text: "I make it.",
    tools: [{ name: "run_command", input: { command: "touch made.txt" } }],
  },
  { text: "It is made." },
  { fault: { kind: "status", status: 400, message: "that makes no sense" }, times: "always" },
];
/** Titles and the like are asked for without tools, and answered apart. */
const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };

const agents = ["claude", "codex", "opencode", "codebuff"] as const;

describe.each(agents)("%s in the official client of ai 6", async (agent) => {
  const { settings } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();

  test("text, reasoning, a call with approval, resume and an error are rendered", async () => {
    const { talk, directory } = await home.beginWith({ conversations: [asides, { turns }] });
    const { baseUrl } = home.daemon.api;
    const chat = chatOn(baseUrl, talk.sessionId);
    await chat.sendMessage({ text: "Make a file." });
    expect(chat.error).toBeUndefined();
    expect(toolsOf(chat.lastMessage).at(-1)).toMatchObject({
      state: "approval-requested",
      approval: { id: "permission_1" },
    });
    expect(JSON.stringify(toolsOf(chat.lastMessage).at(-1)?.input)).toContain("touch made.txt");
    expect(textOf(chat.lastMessage)).toBe("I make it.");
    expect(reasoningOf(chat.lastMessage)).toContain("A file is wanted.");
    expect(existsSync(join(directory, "made.txt"))).toBe(false);

    const other = chatOn(baseUrl, talk.sessionId);
    await other.resumeStream();
    expect(visible(other)).toEqual(visible(chat));

    await answer(other, true);
    expect(other.error).toBeUndefined();
    expect(other.messages).toHaveLength(1);
    expect(toolsOf(other.lastMessage).at(-1)).toMatchObject({ state: "output-available" });
    expect(textOf(other.lastMessage)).toBe("I make it.It is made.");
    expect(existsSync(join(directory, "made.txt"))).toBe(true);

    await other.sendMessage({ text: "And another." });
    expect(other.status).toBe("error");
    expect(other.error?.message).toMatch(/provider_error|that makes no sense/);
  });
});

/** What a page would draw. */
function visible({ lastMessage }: UiChat) {
  return lastMessage?.parts.filter(({ type }) => type === "text" || type === "reasoning" || type === "dynamic-tool");
}
