import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { converters } from "@muster/adapters/converters";
import { describe, expect, it } from "vitest";

interface Summary {
  types: string[];
  undocumented: string[];
  lines: Record<string, { always: string[]; sometimes: string[] }>;
}
interface Words {
  types: string[];
  fields: string[];
}

// By address: the scripts have no types.
const script = (name: string) => import(new URL(`../scripts/agent-specs/${name}.mjs`, import.meta.url).href);
const drift: {
  driftOfLines(agent: string, lines: object[], summary: Summary): string[];
  driftOfSchema(schema: Words, summary: Summary): string[];
} = await script("drift");
const { wordsOfSchemas, wordsOfTypings }: Record<string, (texts: unknown[]) => Words> = await script("schema-words");

const root = fileURLToPath(new URL("..", import.meta.url));
const summaryOf = (agent: string): Summary =>
  JSON.parse(readFileSync(join(root, `docs/agents/specs/${agent}.json`), "utf8"));
const linesOf = (agent: string, recording: string): string[] =>
  readFileSync(join(root, `daemon/adapters/recordings/${agent}/${recording}/native.jsonl`), "utf8")
    .split("\n")
    .flatMap((input) => (input.includes('"line"') ? [(JSON.parse(input) as { line: string }).line] : []));

describe("the drift alarm", () => {
  it.each(["claude", "amp", "opencode"])("is silent about what %s said when it was recorded", (agent) => {
    const all = readdirSync(join(root, `daemon/adapters/recordings/${agent}`));
    const lines = all.flatMap((recording) => linesOf(agent, recording)).flatMap(asObject);
    expect(lines.length).toBeGreaterThan(20);
    expect(drift.driftOfLines(agent, lines, summaryOf(agent))).toEqual([]);
  });

  it("names a field that has another name now and a line that is new; the session goes on without them", () => {
    const lines = linesOf("amp", "bash");
    const renamed = lines.findIndex((line) => line.includes('"tool_use"'));
    lines[renamed] = lines[renamed]?.replace('"content":', '"contents":') ?? "";
    lines.splice(renamed, 0, JSON.stringify({ type: "weather", of: "today" }));
    expect(drift.driftOfLines("amp", lines.flatMap(asObject), summaryOf("amp"))).toEqual([
      "appeared: line weather",
      "vanished: field message.content of line assistant",
    ]);
    const reader = converters.amp?.events.reader();
    const events = lines.flatMap((line) => reader?.line(line) ?? []);
    expect(events.flatMap((event) => (event.type === "agent.unparsed" ? [event.data.error] : []))).toEqual([
      'Unknown line: "weather"',
      "message.content: Invalid input: expected array, received undefined",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { status: "completed" } });
  });

  it("reads schemas and typings by their words, and tells what came and went", () => {
    const before = { properties: { type: { const: "answer" }, text: {}, usage: {} } };
    const after = { anyOf: [{ properties: { type: { enum: ["answer", "riddle"] }, words: {}, usage: {} } }] };
    const typings = `type Line = { type: 'answer' | "riddle"; words?: string; usage: Usage };`;
    const known = wordsOfSchemas?.([before]) ?? { types: [], fields: [] };
    const lines = { answer: { always: ["text", "made_up"], sometimes: ["usage.total"] } };
    const summary = { types: known.types, undocumented: ["made_up", "total"], lines };
    expect(drift.driftOfSchema(known, summary)).toEqual([]);
    for (const words of [wordsOfSchemas?.([after]), wordsOfTypings?.([typings])]) {
      expect(drift.driftOfSchema(words ?? known, summary)).toEqual(["appeared: type riddle", "vanished: field text"]);
    }
  });
});

/** Recordings of broken lines are no lines. */
function asObject(line: string): object[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
