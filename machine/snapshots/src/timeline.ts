import { readFile } from "node:fs/promises";
import { parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import { authors } from "./attribution.ts";
import { IndexChanges } from "./user-index.ts";

const State = z.object({
  tree: z.string().regex(/^[0-9a-f]{40,64}$/),
  modes: z.record(z.string(), z.int()),
  emptyDirectories: z.array(z.string()),
  extras: z.array(z.string()),
});

/**
 * The work tree before a prompt, and what this session has made of it. `base` is `before` with what others changed in
 * files the session had not touched; `by` tells who changed a path.
 */
const Checkpoint = z.object({
  id: z.int().positive(),
  label: z.string(),
  time: z.iso.datetime(),
  before: State,
  after: State.nullable(),
  base: State.nullable().default(null),
  by: z.record(z.string(), z.array(z.enum(authors))).default({}),
  index: IndexChanges.nullable().default(null),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** `past`: what undo goes back to, newest last. `future`: what redo brings back, next one last. */
const Timeline = z.object({
  version: z.literal(2),
  nextId: z.int().positive(),
  past: z.array(Checkpoint),
  future: z.array(Checkpoint),
});
export type Timeline = z.infer<typeof Timeline>;

export const timelineName = "timeline.json";

/** A file that cannot be read is set aside, not overwritten: it may be of a newer version. */
export async function readTimeline(file: string): Promise<Timeline> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return { version: 2, nextId: 1, past: [], future: [] };
  const parsed = Timeline.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  await replaceFile(`${file}.unreadable`, text);
  return { version: 2, nextId: 1, past: [], future: [] };
}

export async function writeTimeline(file: string, timeline: Timeline): Promise<void> {
  await replaceFile(file, JSON.stringify(timeline));
}
