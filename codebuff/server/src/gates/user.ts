import type { IncomingHttpHeaders } from "node:http";
import { findUserBySecret, type KnownUser } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** G2: who asks. `Authorization` wins; the other header counts only where it is absent. */
export async function knowUser(headers: IncomingHttpHeaders, service: Service): Promise<KnownUser> {
  const key = keyOf(headers);
  if (key === undefined) {
    throw new Refusal(401, "No API key: send it as Authorization: Bearer <key>", { headers: challenge });
  }
  const user = await findUserBySecret(service.database, key, service.now());
  if (!user) throw new Refusal(401, "The API key is not valid", { headers: challenge });
  return user;
}

const challenge = { "www-authenticate": "Bearer" };

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  const other = headers["x-codebuff-api-key"];
  return typeof other === "string" && other.trim() !== "" ? other.trim() : undefined;
}
