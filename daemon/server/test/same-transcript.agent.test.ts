import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnRecord } from "@muster/conformance";
import type { ScriptInput } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { AgentHome } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";
import type { TestedAgent } from "./installed-agent.ts";

/** What a person says, one turn each. */
const prompts = ["What does the note say?", "Put a date on it.", "Does it hold?", "Thank you."];

/** What the model does about it; the scripted model knows each agent's words for a tool. */
const scriptOf = (note: string) => [
  { tools: [{ name: "read_file", input: { path: note } }] },
  { text: "It speaks of a heron." },
  { tools: [{ name: "edit_file", input: { path: note, old: "a heron", new: "a heron, in May" } }] },
  { text: "Dated." },
  { text: "I try it.", tools: [{ name: "run_command", input: { command: "exit 3" } }] },
  { tools: [{ name: "run_command", input: { command: "grep -c heron note.txt" } }] },
  { text: "It holds." },
  { text: "You are welcome." },
];

const transcript = [
  ["read completed", "said It speaks of a heron.", "turn completed"],
  ["edit completed", "said Dated.", "turn completed"],
  ["said I try it.", "execute failed", "execute completed", "said It holds.", "turn completed"],
  ["said You are welcome.", "turn completed"],
];

/** Where an agent tells it otherwise. A command that ends with 3 has been run: these three leave it to its exit code. */
const exceptions: Partial<Record<TestedAgent, Record<string, string>>> = {
  // It has no tool to read: it runs a command.
  codex: { "read completed": "execute completed" },
  opencode: { "execute failed": "execute completed" },
  codebuff: { "execute failed": "execute completed" },
  amp: { "execute failed": "execute completed" },
};

describe.each(Object.keys(everyAgent) as TestedAgent[])("%s", async (agent) => {
  const { settings, script } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();

  test("tells the same prompts as the same turns", async () => {
    const directory = await home.directory();
    const note = join(directory, "note.txt");
    await writeFile(note, "a heron\n");
    const session = await home.beginWith(withScript(script, scriptOf(note)), { directory, permissionMode: "bypass" });
    const told: string[][] = [];
    for (const prompt of prompts) told.push(rowsOf(await session.talk.say(prompt)));
    const own = exceptions[agent] ?? {};
    expect(told).toEqual(transcript.map((turn) => turn.map((row) => own[row] ?? row)));
    await home.finish(session);
  });
});

/** Titles and the like are asked for without tools, and answered apart. */
function withScript(service: ScriptInput | undefined, turns: ReturnType<typeof scriptOf>): ScriptInput {
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A title", times: "always" as const }] };
  return { routes: service?.routes, conversations: [...(service?.conversations ?? []), asides, { turns }] };
}

/** A turn as a person would retell it: what was said and done, in order, and how each ended. */
function rowsOf({ of, end }: TurnRecord): string[] {
  const rows = of("item.completed").flatMap(({ item }) => {
    if (item.role !== "assistant" || item.kind === "reasoning") return [];
    return item.content.flatMap((part) => {
      if (part.type === "text") return [`said ${part.text}`];
      return part.type === "tool_call" ? [`${part.toolKind} ${item.status}`] : [];
    });
  });
  return [...rows, `turn ${end.status}`];
}
