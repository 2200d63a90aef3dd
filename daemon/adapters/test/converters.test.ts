import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { backgroundCalls, essenceOf } from "@muster/conformance";
import type { EventBody } from "@muster/schema";
import { describe, expect, test } from "vitest";
import { converters } from "../src/converters.ts";

const recordings = (folder: string) => fileURLToPath(new URL(`../recordings/${folder}/`, import.meta.url));

/** agent → the folders of its recordings */
const folders: Record<string, string[]> = {
  claude: [recordings("claude")],
  codex: [recordings("codex/app-server"), recordings("codex/exec")],
  opencode: [recordings("opencode")],
  amp: [recordings("amp")],
  codebuff: [recordings("codebuff")],
  mock: [recordings("mock")],
};

const agents = Object.keys(converters);
const pairs = agents.flatMap((from) => agents.map((to) => [from, to] as const));

describe.each(pairs)("%s in the lines of %s and back", (from, to) => {
  test.each(casesOf(from))("$name: text, calls, results and turn ends survive", ({ lines }) => {
    const events = read(from, lines);
    const { written, leftOut } = write(to, events);
    const back = read(to, written);
    expect(back.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    const isBackground = to === "mock" ? () => false : backgroundCalls([...events, ...back]);
    const isAside = (callId: string) => isBackground(callId) || (from === "amp" && !hasResult(events, callId));
    expect(essenceOf(back, isAside)).toEqual(essenceOf(events, isAside));
    if (from === to) return;
    // What is missing is counted: nothing of the session is lost unseen.
    const told = events.filter(({ data }) => !("item" in data && data.item.role === "user"));
    const fewer = told.filter(({ type }) => count(back, type) < count(told, type));
    expect(fewer.length === 0 || leftOut.size > 0).toBe(true);
  });
});

test.each(agents)("the recordings of %s have something to lose", (agent) => {
  const kinds = casesOf(agent).flatMap(({ lines }) => essenceOf(read(agent, lines), () => false).map((one) => one[0]));
  // The build of Amp that can be recorded tells no reasoning.
  const reasoning = agent === "amp" ? [] : ["reasoning"];
  expect(new Set(kinds)).toEqual(new Set(["text", ...reasoning, "call", "result", "turn"]));
});

test("every agent that can be driven has its lines, both ways", async () => {
  const { adapters } = await import("../src/index.ts");
  expect(Object.keys(converters).sort()).toEqual(Object.keys(adapters).sort());
  expect(Object.keys(folders).sort()).toEqual(agents.sort());
});

function casesOf(agent: string): { name: string; lines: string[] }[] {
  return (folders[agent] ?? []).flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, lines: linesOf(join(folder, name, "native.jsonl")) })),
  );
}

/** What the agent said; the commands that led it are not part of a log. */
function linesOf(file: string): string[] {
  const inputs = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return inputs.flatMap((input) => {
    const { line } = JSON.parse(input) as { line?: string };
    return line === undefined ? [] : [line];
  });
}

function read(agent: string, lines: readonly string[]): EventBody[] {
  const reader = converters[agent]?.reader();
  if (reader === undefined) throw new Error(`No lines of ${agent}`);
  return [...lines.flatMap((line) => reader.line(line)), ...reader.end()];
}

function write(agent: string, events: readonly EventBody[]) {
  const writer = converters[agent]?.writer();
  if (writer === undefined) throw new Error(`No lines of ${agent}`);
  const written = events.flatMap((event) => writer.write(event)).map((line) => JSON.stringify(line));
  return { written, leftOut: writer.leftOut };
}

/** Amp does not tell the results of a sub-agent's calls; to other agents a call without one is open to the end of its turn. */
function hasResult(events: readonly EventBody[], callId: string): boolean {
  const parts = events.flatMap((event) => (event.type === "item.completed" ? event.data.item.content : []));
  return parts.some((part) => part.type === "tool_result" && part.callId === callId);
}

function count(events: readonly EventBody[], type: EventBody["type"]): number {
  return events.filter((event) => event.type === type).length;
}
