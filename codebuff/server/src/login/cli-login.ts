import { randomInt } from "node:crypto";
import { z } from "zod";
import { refuseBanned } from "../admission/ban.ts";
import { countHit } from "../admission/rate.ts";
import type { Call } from "../endpoints/answer.ts";
import { readChecked } from "../endpoints/answer.ts";
import { clientAddress } from "../http/client-address.ts";
import { createSession } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import { ownOrigin } from "./origin.ts";

const lifeMs = 15 * 60_000;
const fastestPollMs = 1_000;
const mostPerMinute = 20;

const Begin = z.looseObject({
  /** A label of the client: shown to the person, never an authority. */
  fingerprintId: z.string().min(1).max(128),
  /** The terminal shows the code too, so the person can compare. The original client does not. */
  showsCode: z.boolean().optional(),
});

/** `POST /api/auth/cli/code` */
export async function beginLogin({ request, service }: Call): Promise<object> {
  const { fingerprintId, showsCode = false } = await readChecked({ request, service }, Begin);
  const address = clientAddress(request, service.config);
  for (const key of [`login:${address}`, `login:${hashSecret(fingerprintId)}`]) {
    const { hits, resetsInMs } = await countHit(service, key, 60_000);
    if (hits > mostPerMinute) throw tooMany(Math.ceil(resetsInMs / 1000));
  }
  const id = newSecret();
  const secret = newSecret();
  const code = newCode();
  const at = service.now();
  await service.database.db
    .insertInto("cli_login")
    .values({
      id: hashSecret(id),
      code,
      fingerprint_id: fingerprintId,
      secret_hash: hashSecret(secret),
      address,
      state: "waiting",
      user_id: null,
      shows_code: showsCode ? 1 : 0,
      last_poll_at: 0,
      created_at: at,
      expires_at: at + lifeMs,
    })
    .execute();
  return {
    fingerprintId,
    fingerprintHash: secret,
    userCode: code,
    loginUrl: `${ownOrigin(request, service.config)}/login?id=${id}`,
    expiresAt: at + lifeMs,
  };
}

/** `GET /api/auth/cli/status`: 401 until a person approved; the token is made by the first poll after that, once. */
export async function pollLogin({ query, service }: Call): Promise<object> {
  const secret = query.get("fingerprintHash") ?? "";
  const { db } = service.database;
  const now = service.now();
  const hash = hashSecret(secret);
  const login = await db
    .selectFrom("cli_login")
    .selectAll()
    .where("secret_hash", "=", hash)
    .where("fingerprint_id", "=", query.get("fingerprintId") ?? "")
    .executeTakeFirst();
  if (!login || login.expires_at <= now) throw new Refusal(401, "There is no such login, or it has expired");
  const { numUpdatedRows } = await db
    .updateTable("cli_login")
    .set({ last_poll_at: now })
    .where("id", "=", login.id)
    .where("last_poll_at", "<=", now - fastestPollMs)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw tooMany(1);
  if (login.state === "waiting") throw new Refusal(401, "Nobody has approved the login yet", { code: "pending" });
  if (login.state === "denied") throw new Refusal(401, "The login was denied", { code: "denied" });
  const user = await service.database.transaction(login.id, async (connection) => {
    const taken = await connection
      .updateTable("cli_login")
      .set({ state: "taken" })
      .where("id", "=", login.id)
      .where("state", "=", "approved")
      .returning("user_id")
      .executeTakeFirst();
    if (taken?.user_id == null) return undefined;
    const userId = taken.user_id;
    const person = await connection.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    refuseBanned(person);
    const fingerprintId = login.fingerprint_id;
    const session = await createSession(connection, {
      userId,
      kind: "cli",
      name: fingerprintId,
      fingerprintId,
      at: now,
    });
    return { id: person.id, email: person.email, name: person.email, authToken: session.secret };
  });
  if (!user) throw new Refusal(401, "The token of this login has been taken already");
  return { user: { ...user, fingerprintId: login.fingerprint_id, fingerprintHash: secret } };
}

const Logout = z.looseObject({ authToken: z.string().min(1).optional() });

/** `POST /api/auth/cli/logout`: ends the session whose token it is given. */
export async function logout({ request, service }: Call): Promise<object> {
  const { authToken } = await readChecked({ request, service }, Logout);
  const token = authToken ?? /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw new Refusal(401, "Send the token to be ended");
  await service.database.db
    .deleteFrom("session")
    .where("token_hash", "=", hashSecret(token))
    .where("kind", "=", "cli")
    .execute();
  return { success: true };
}

/** Letters and digits that nobody confuses. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

function newCode(): string {
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${part()}-${part()}`;
}

function tooMany(seconds: number): Refusal {
  return new Refusal(429, "Not so fast", { code: "too_many_requests", headers: { "retry-after": String(seconds) } });
}
