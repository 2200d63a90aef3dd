import type { Ask } from "@muster/codebuff-sdk";
import { z } from "zod";
import { oneLine } from "../text/printable.ts";

const Parts = z.array(z.looseObject({ key: z.string() }));

/** What a yes for always would allow in this session; empty where it would be a yes to nothing, or to anything. */
export function sessionGrant(permission: NonNullable<Ask["permission"]>): string {
  const keys = [...new Set(Parts.safeParse(permission.parts).data?.map(({ key }) => key.trim()) ?? [])];
  if (!keys.every(isCommand)) return "";
  return keys.length > 0 ? keys.join(", ") : oneLine(permission.title, 300);
}

/** A key names a program or what it does: an empty one, a number or bare punctuation names nothing. */
function isCommand(key: string): boolean {
  return /\p{L}/u.test(key);
}
