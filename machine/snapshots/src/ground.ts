import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import type { Store } from "./store.ts";

/**
 * What a checkpoint knows of the project beside its files. Every later look at the work tree for this checkpoint goes by
 * it, so that an ignore rule, a `git add -f` or a removed `.git` changes nothing about which paths belong to it.
 */
const Ground = z.object({
  /** All ignore rules that held, as the text of one exclude file. */
  rules: z.string(),
  /** Committed by the user although a rule ignores them. */
  tracked: z.array(z.string()),
  /** Repositories inside the project. They have a history of their own and are never looked into. */
  nested: z.array(z.string()),
  /** Existed and were not recorded: too large, unreadable, not UTF-8, or written all the time. */
  skipped: z.array(z.string()),
  /** After the last file was looked at, in ms: what was made later was made after the checkpoint. */
  time: z.number(),
  /** Inodes of everything that was recorded, to tell a renamed file of ours from one that was there and was not. */
  inodes: z.string(),
});
export type Ground = z.infer<typeof Ground>;

export async function writeGround(store: Store, id: number, ground: Ground): Promise<void> {
  await replaceFile(groundFile(store, id), JSON.stringify(ground));
}

/** Null when it is lost: then nothing is known of what was there, and nothing may be taken away. */
export async function readGround(store: Store, id: number): Promise<Ground | null> {
  const text = await readFile(groundFile(store, id), "utf8").catch(() => undefined);
  // A record that was cut by a crash counts as none.
  return Ground.safeParse(parseJson(text)).data ?? null;
}

export async function removeGround(store: Store, id: number): Promise<void> {
  await rm(groundFile(store, id), { force: true });
}

export function packInodes(inodes: Iterable<number>): string {
  return Buffer.from(Float64Array.from(inodes).buffer).toString("base64");
}

export function unpackInodes(packed: string): Set<number> {
  const bytes = Uint8Array.from(Buffer.from(packed, "base64"));
  return new Set(new Float64Array(bytes.buffer));
}

function groundFile(store: Store, id: number): string {
  return join(store.sessionDirectory, `ground-${id}.json`);
}
