import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnRecord } from "@muster/conformance";
import type { AgentInfo, Capabilities, Part } from "@muster/schema";
import type { ScriptInput } from "@muster/scripted-llm";
import { describe, expect } from "vitest";
import { AgentHome } from "./agent-home.ts";
import { everyAgent } from "./every-agent.ts";
import type { TestedAgent } from "./installed-agent.ts";

/** What a person says, one turn each. */
const prompts = ["What does the note say?", "Put a date on it.", "Copy it.", "Does it hold?", "Thank you."];

/** What the model does about it; the scripted model knows each agent's words for a tool. */
const scriptOf = (path: (name: string) => string) => [
  { tools: [{ name: "read_file", input: { path: path("note.txt") } }] },
  { text: "It speaks of a heron." },
  { tools: [{ name: "edit_file", input: { path: path("note.txt"), old: "a heron", new: "a heron, in May" } }] },
  { text: "Dated." },
  { tools: [{ name: "write_file", input: { path: path("copy.txt"), content: "a heron, in May\n" } }] },
  { text: "Copied." },
  { text: "I try it.", tools: [{ name: "run_command", input: { command: "exit 3" } }] },
  { tools: [{ name: "run_command", input: { command: "test -s note.txt && echo yes" } }] },
  { text: "It holds." },
  { text: "You are welcome." },
];

const changed = "@@ -1,1 +1,1 @@\n-a heron\n+a heron, in May\n";
const added = "@@ -0,0 +1,1 @@\n+a heron, in May\n";

/** What everybody is told of it: of a call its kind, its title and how it ended; the file, and what changed in it. */
const transcript = [
  ["read note.txt: completed", "file note.txt read", "said It speaks of a heron.", "turn completed"],
  [
    "edit note.txt: completed",
    `file note.txt patch\n--- a/note.txt\n+++ b/note.txt\n${changed}`,
    "said Dated.",
    "turn completed",
  ],
  ["edit copy.txt: completed", `file copy.txt write\n+++ b/copy.txt\n${added}`, "said Copied.", "turn completed"],
  [
    "said I try it.",
    "execute exit 3: failed",
    "execute test -s note.txt && echo yes: completed",
    "said It holds.",
    "turn completed",
  ],
  ["said You are welcome.", "turn completed"],
];

/** Rows that only an agent can tell whose column of the matrix says so. */
const needs: [row: RegExp, capability: keyof Capabilities][] = [[/\n@@/, "diffs"]];

describe.each(Object.keys(everyAgent) as TestedAgent[])("%s", async (agent) => {
  const { settings, script } = everyAgent[agent];
  const home = new AgentHome(agent, settings);
  const test = await home.forFile();

  test("tells the same prompts as the same turns", async () => {
    const { capabilities } = await home.daemon.api.get<AgentInfo>(`/agents/${agent}`);
    const directory = await home.directory();
    const path = (name: string) => join(directory, name);
    await writeFile(path("note.txt"), "a heron\n");
    const session = await home.beginWith(withScript(script, scriptOf(path)), { directory, permissionMode: "bypass" });
    const told: string[][] = [];
    for (const prompt of prompts) told.push(rowsOf(await session.talk.say(prompt)));
    const isTold = (row: string) => needs.every(([which, name]) => !which.test(row) || capabilities?.[name] === true);
    expect(told).toEqual(transcript.map((turn) => turn.filter(isTold)));
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
    if (item.role === "user" || item.kind === "reasoning") return [];
    return item.content.flatMap((part) => rowOf(part, item.status));
  });
  return [...rows, `turn ${end.status}`];
}

function rowOf(part: Part, status: string): string[] {
  if (part.type === "text") return [`said ${part.text}`];
  if (part.type === "tool_call") return [`${part.toolKind} ${part.title}: ${status}`];
  if (part.type !== "file") return [];
  // Whether the file was there before is not known by every agent: what it became is.
  const diff = part.action === "write" ? part.diff?.replace(/^--- .*\n/, "") : part.diff;
  return [`file ${part.path} ${part.action}${diff === undefined ? "" : `\n${diff}`}`];
}
