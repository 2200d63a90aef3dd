import { z } from "zod";
import { refuseBanned } from "../admission/ban.ts";
import { knowUser } from "../admission/user.ts";
import { never } from "../database/tables.ts";
import { createSession } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import { type Call, readChecked } from "./answer.ts";

const NewKey = z.looseObject({
  name: z.string().min(1).max(100).default("key"),
  expiresAt: z.iso.datetime().optional(),
});

export async function listKeys({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const rows = await service.database.db
    .selectFrom("session")
    .select(["id", "name", "kind", "created_at", "expires_at"])
    .where("user_id", "=", user.id)
    .where("kind", "in", ["pat", "cli"])
    .where("expires_at", ">", service.now())
    .orderBy("created_at")
    .execute();
  return {
    keys: rows.map(({ id, name, kind, created_at, expires_at }) => ({
      id,
      name,
      kind,
      createdAt: new Date(created_at).toISOString(),
      expiresAt: expires_at === never ? null : new Date(expires_at).toISOString(),
    })),
  };
}

/** The key is in this answer and nowhere else: only its hash is kept. */
export async function createKey({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  refuseBanned(user);
  const { name, expiresAt } = await readChecked({ request, service }, NewKey);
  const at = service.now();
  const ends = expiresAt === undefined ? never : Date.parse(expiresAt);
  if (ends <= at) throw new Refusal(400, "expiresAt lies in the past");
  const { id, secret } = await createSession(service.database.db, {
    userId: user.id,
    kind: "pat",
    name,
    expiresAt: ends,
    at,
  });
  return { id, name, apiKey: secret };
}

export async function deleteKey({ request, params, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const { numDeletedRows } = await service.database.db
    .deleteFrom("session")
    .where("id", "=", params.id ?? "")
    .where("user_id", "=", user.id)
    .where("kind", "in", ["pat", "cli"])
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Refusal(404, "There is no such key");
  return { success: true };
}
