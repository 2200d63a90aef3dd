import type { IncomingHttpHeaders } from "node:http";
import { type Caller, findCallerBySecret } from "../people/callers.ts";
import { findUserBySecret, type KnownUser } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** G2: who asks. `Authorization` wins; the other header counts only where it is absent. */
export async function knowUser(headers: IncomingHttpHeaders, { database, now }: Service): Promise<KnownUser> {
  return known(await findUserBySecret(database, keyOf(headers), now()));
}

/** G2 for a call of a model: the run it names comes along, for the gates behind. */
export async function knowCaller(
  headers: IncomingHttpHeaders,
  runId: unknown,
  { database, now }: Service,
): Promise<Caller> {
  const named = typeof runId === "string" && runId.length <= longestId ? runId : "";
  return known(await findCallerBySecret(database, keyOf(headers), { runId: named, at: now() }));
}

/** A connection stays open for longer than the key it was opened with. */
export function keyIsOver(): Refusal {
  return new Refusal(401, "The API key is not valid any more", { code: "unauthorized" });
}

const longestId = 200;
const challenge = { "www-authenticate": "Bearer" };

function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal(401, "The API key is not valid", { headers: challenge });
  return found;
}

function keyOf(headers: IncomingHttpHeaders): string {
  const { authorization } = headers;
  const other = headers["x-codebuff-api-key"];
  const key =
    authorization === undefined
      ? typeof other === "string" && other.trim()
      : /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (key) return key;
  throw new Refusal(401, "No API key: send it as Authorization: Bearer <key>", { headers: challenge });
}
