import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { converters } from "@muster/adapters/converters";
import type { EventBody, UniversalEvent } from "@muster/schema";

const recordings = (folder: string) => fileURLToPath(new URL(`../../adapters/recordings/${folder}/`, import.meta.url));

/** Every recording of every agent as the events of a session. */
export const recordedSessions: { name: string; events: UniversalEvent[] }[] = Object.keys(converters).flatMap((agent) =>
  foldersOf(agent).flatMap((folder) =>
    readdirSync(folder).map((name) => ({
      name: `${agent} ${name}`,
      events: numbered(read(agent, linesOf(join(folder, name, "native.jsonl")))),
    })),
  ),
);

function foldersOf(agent: string): string[] {
  const folder = recordings(agent);
  return agent === "codex" ? ["app-server", "exec"].map((way) => join(folder, way)) : [folder];
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
  const reader = converters[agent]?.events.reader();
  if (reader === undefined) throw new Error(`No lines of ${agent}`);
  return [...lines.flatMap((line) => reader.line(line)), ...reader.end()];
}

function numbered(bodies: readonly EventBody[]): UniversalEvent[] {
  let turnId: string | undefined;
  return bodies.map((body, index) => {
    if (body.type === "turn.started") turnId = body.data.turnId;
    const time = "2026-01-01T00:00:00.000Z";
    const event = { sequence: index + 1, time, sessionId: "recorded", turnId, source: "agent", ...body } as const;
    if (body.type === "turn.ended") turnId = undefined;
    return event;
  });
}
