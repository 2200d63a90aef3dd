import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { essenceOf } from "@muster/conformance";
import type { EventBody } from "@muster/schema";
import { describe, expect, test } from "vitest";
import type { Command } from "../../src/commands.ts";
import { remains } from "../../src/converter/left-out.ts";
import { converters } from "../../src/converters.ts";
import { readInputs } from "../recorded-life.ts";
import { backgroundCalls, remainsOf, toldIn } from "./told.ts";

const recordings = (folder: string) => fileURLToPath(new URL(`../../recordings/${folder}/`, import.meta.url));

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
  test.each(casesOf(from))("$name: what the table leaves of it is read again", ({ lines }) => {
    const events = read(from, lines);
    const back = read(to, write(to, events));
    expect(back.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    const rows = converters[to]?.leftOut.events ?? [];
    const isBackground = backgroundCalls([...events, ...back]);
    const isAside = (callId: string) => isBackground(callId) || !hasResult(events, callId);
    const { pieces: _, ...told } = toldIn(remainsOf(rows, back), isAside);
    const { pieces: __, ...original } = toldIn(remainsOf(rows, events), isAside);
    expect(told).toEqual(original);
  });
});

describe.each(agents)("what led %s", (agent) => {
  test.each(commandsOf(agent))("$name: every command is read from its lines again", ({ commands }) => {
    const { input, leftOut } = converters[agent] ?? expect.fail("no such agent");
    for (const command of commands) {
      const read = input.write(command).map((line) => input.read(JSON.stringify(line)));
      expect(toJson(read)).toEqual(toJson(remains(leftOut.input, command)));
    }
  });
});

describe("codebuff in its own lines again", () => {
  const kinds = new Set(["start", "text", "reasoning_delta", "tool_call", "tool_progress", "tool_result"]);
  for (const kind of ["subagent_start", "subagent_finish", "error", "finish", "download"]) kinds.add(kind);
  const typesOf = (lines: readonly string[]) =>
    [...new Set(lines.map((line) => (JSON.parse(line) as { type: string }).type))]
      .filter((type) => kinds.has(type))
      .sort();

  test.each(casesOf("codebuff"))("$name keeps every kind of line", ({ lines }) => {
    expect(typesOf(write("codebuff", read("codebuff", lines)))).toEqual(expect.arrayContaining(typesOf(lines)));
  });

  test("all eleven kinds are tried", () => {
    const download = JSON.stringify({ type: "download", version: "1.0.0", status: "complete" });
    const recorded = casesOf("codebuff").flatMap(({ lines }) => lines);
    expect(typesOf([...recorded, download])).toEqual([...kinds].sort());
    expect(
      typesOf(write("codebuff", read("codebuff", ['{"type":"start","messageHistoryLength":0}', download]))),
    ).toContain("download");
  });
});

test.each(agents)("the recordings of %s have something to lose", (agent) => {
  const kinds = casesOf(agent).flatMap(({ lines }) => essenceOf(read(agent, lines), () => false).map((one) => one[0]));
  // The build of Amp that can be recorded tells no reasoning.
  const reasoning = agent === "amp" ? [] : ["reasoning"];
  expect(new Set(kinds)).toEqual(new Set(["text", ...reasoning, "call", "result", "turn"]));
});

test("every agent that can be driven has its lines, both ways", async () => {
  const { adapters } = await import("../../src/index.ts");
  expect(Object.keys(converters).sort()).toEqual(Object.keys(adapters).sort());
  expect(Object.keys(folders).sort()).toEqual(agents.sort());
});

function casesOf(agent: string): { name: string; lines: string[] }[] {
  return (folders[agent] ?? []).flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, lines: linesOf(join(folder, name)) })),
  );
}

function commandsOf(agent: string): { name: string; commands: Command[] }[] {
  const all = (folders[agent] ?? []).flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const inputs = readInputs(join(folder, name));
      return { name, commands: inputs.flatMap((input) => ("command" in input ? [input.command] : [])) };
    }),
  );
  return all.filter(({ commands }) => commands.length > 0);
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What the agent said; the commands that led it are not part of a log. */
function linesOf(folder: string): string[] {
  return readInputs(folder).flatMap((input) => ("line" in input ? [input.line] : []));
}

function read(agent: string, lines: readonly string[]): EventBody[] {
  const reader = converters[agent]?.events.reader();
  if (reader === undefined) throw new Error(`No lines of ${agent}`);
  return [...lines.flatMap((line) => reader.line(line)), ...reader.end()];
}

function write(agent: string, events: readonly EventBody[]): string[] {
  const writer = converters[agent]?.events.writer();
  if (writer === undefined) throw new Error(`No lines of ${agent}`);
  return events.flatMap((event) => writer.write(event)).map((line) => JSON.stringify(line));
}

/** Amp does not tell the results of a sub-agent's calls; to other agents a call without one is open to the end of its turn. */
function hasResult(events: readonly EventBody[], callId: string): boolean {
  const parts = events.flatMap((event) => (event.type === "item.completed" ? event.data.item.content : []));
  return parts.some((part) => part.type === "tool_result" && part.callId === callId);
}
