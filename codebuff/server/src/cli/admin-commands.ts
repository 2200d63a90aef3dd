import { randomUUID } from "node:crypto";
import { unitsPerCredit } from "@muster/metering";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { type Database, type GrantKind, never } from "../database/tables.ts";
import { tiers } from "../money/grants/block.ts";
import { grant } from "../money/grants/grant.ts";
import { grantKinds } from "../money/grants/priorities.ts";
import { createSession } from "../people/sessions.ts";
import { createUser, findUser, type User } from "../people/users.ts";
import { Refusal } from "../refusal.ts";
import type { Tools } from "./command-line.ts";

/** People, credits, keys and runs, from the command line of whoever owns the database. */
export function addAdminCommands(program: Command, tools: Tools): void {
  addUserCommands(program.command("users").description("people"), tools);
  addGrantCommands(program.command("grants").description("credits"), tools);
  addKeyCommands(program.command("keys").description("API keys"), tools);
  addRunCommands(program.command("runs").description("agent runs"), tools);
  addPublisherCommands(program.command("publishers").description("who may publish agents"), tools);
  addSubscriptionCommands(program.command("subscriptions").description("credits in blocks"), tools);
}

function addUserCommands(users: Command, { withDatabase, print }: Tools): void {
  users
    .command("create")
    .requiredOption("--email <address>", "", readEmail)
    .option("--credits <n>", "granted once, instead of the free credits of every month", readCount)
    .option("--admin", "may do everything")
    .description("a person, with an API key that is shown once")
    .action((options: { email: string; credits?: number; admin?: boolean }) =>
      withDatabase(async (database, config) => {
        const at = Date.now();
        const { email, credits } = options;
        const role = options.admin === true ? "admin" : "user";
        const { freeCreditsPerMonth } = config;
        const user = await createUser(database, { email, role, credits, freeCreditsPerMonth, at });
        const { secret } = await createSession(database.db, { userId: user.id, kind: "pat", name: "first", at });
        print({ userId: user.id, email, apiKey: secret });
      }),
    );
  users
    .command("list")
    .description("everybody, with what is left")
    .action(() =>
      withDatabase(async ({ db }) => {
        const rows = await db
          .selectFrom("user")
          .innerJoin("credit_account", "credit_account.owner_id", "user.id")
          .select(["user.id", "email", "role", "banned", "balance"])
          .orderBy("user.created_at")
          .execute();
        print(
          rows.map(({ id, email, role, banned, balance }) => ({
            userId: id,
            email,
            role,
            banned: banned === 1,
            credits: balance / unitsPerCredit,
          })),
        );
      }),
    );
  for (const [name, banned] of [
    ["ban", 1],
    ["unban", 0],
  ] as const) {
    users
      .command(`${name} <user>`)
      .description(banned === 1 ? "suspend an account, at once and everywhere" : "let an account in again")
      .action((who: string) =>
        withDatabase(async (database) => {
          const { id } = await mustFind(database, who);
          await database.db.updateTable("user").set({ banned }).where("id", "=", id).execute();
          print({ userId: id, banned: banned === 1 });
        }),
      );
  }
  users
    .command("fallback <user>")
    .addArgument(new Argument("<on|off>").choices(["on", "off"]))
    .description("spend other credits when the subscription is used up")
    .action((who: string, value: string) =>
      withDatabase(async (database) => {
        const { id } = await mustFind(database, who);
        const fallback = value === "on" ? 1 : 0;
        await database.db.updateTable("user").set({ fallback_to_credits: fallback }).where("id", "=", id).execute();
        print({ userId: id, fallbackToCredits: fallback === 1 });
      }),
    );
}

function addGrantCommands(grants: Command, { withDatabase, print }: Tools): void {
  grants
    .command("add")
    .requiredOption("--user <user>", "id or address")
    .requiredOption("--credits <n>", "", readCount)
    .option("--expires <time>", "ISO time; never without", readTime)
    .addOption(new Option("--type <type>").choices(grantKinds).default("admin"))
    .option("--id <id>", "of the operation: the same id twice grants once")
    .description("give credits")
    .action((options: { user: string; credits: number; expires?: number; type: GrantKind; id?: string }) =>
      withDatabase(async (database) => {
        const { id: ownerId } = await mustFind(database, options.user);
        const id = options.id ?? `admin:${randomUUID()}`;
        const units = options.credits * unitsPerCredit;
        if (units === 0) throw new Refusal(400, "A grant is of at least one credit");
        const { type: kind, expires: expiresAt = never } = options;
        const granted = await grant(database, { id, ownerId, kind, units, expiresAt, at: Date.now() });
        print({ grantId: id, userId: ownerId, credits: options.credits, granted });
      }),
    );
  grants
    .command("list")
    .option("--user <user>", "id or address")
    .description("grants and what is left of them")
    .action((options: { user?: string }) =>
      withDatabase(async (database) => {
        let select = database.db.selectFrom("credit_grant").selectAll();
        if (options.user !== undefined) {
          select = select.where("owner_id", "=", (await mustFind(database, options.user)).id);
        }
        const rows = await select.orderBy("owner_id").orderBy("priority").orderBy("expires_at").execute();
        print(
          rows.map((row) => ({
            grantId: row.id,
            userId: row.owner_id,
            type: row.kind,
            credits: row.principal / unitsPerCredit,
            remaining: row.remaining / unitsPerCredit,
            expires: row.expires_at === never ? null : new Date(row.expires_at).toISOString(),
          })),
        );
      }),
    );
}

function addKeyCommands(keys: Command, { withDatabase, print }: Tools): void {
  keys
    .command("create")
    .requiredOption("--user <user>", "id or address")
    .option("--name <name>", "", "key")
    .description("a key that is shown once")
    .action((options: { user: string; name: string }) =>
      withDatabase(async (database) => {
        const { id: userId } = await mustFind(database, options.user);
        const made = await createSession(database.db, { userId, kind: "pat", name: options.name, at: Date.now() });
        print({ keyId: made.id, userId, apiKey: made.secret });
      }),
    );
  keys
    .command("revoke <id>")
    .description("end a key, at once and everywhere")
    .action((id: string) =>
      withDatabase(async ({ db }) => {
        const { numDeletedRows } = await db.deleteFrom("session").where("id", "=", id).executeTakeFirst();
        if (numDeletedRows === 0n) throw new Refusal(404, `There is no key ${id}`);
        print({ keyId: id, revoked: true });
      }),
    );
  keys
    .command("list")
    .requiredOption("--user <user>", "id or address")
    .description("the keys of a person, without their secrets")
    .action((options: { user: string }) =>
      withDatabase(async (database) => {
        const { id: userId } = await mustFind(database, options.user);
        const rows = await database.db
          .selectFrom("session")
          .select(["id as keyId", "name", "kind"])
          .where("user_id", "=", userId)
          .execute();
        print(rows);
      }),
    );
}

function addRunCommands(runs: Command, { withDatabase, print }: Tools): void {
  runs
    .command("list")
    .option("--user <user>", "id or address")
    .option("--limit <n>", "", readCount, 50)
    .description("the newest runs first")
    .action((options: { user?: string; limit: number }) =>
      withDatabase(async (database) => {
        let select = database.db.selectFrom("agent_run").selectAll();
        if (options.user !== undefined) {
          select = select.where("user_id", "=", (await mustFind(database, options.user)).id);
        }
        const rows = await select.orderBy("created_at", "desc").limit(options.limit).execute();
        print(
          rows.map((row) => ({
            runId: row.id,
            userId: row.user_id,
            agent: row.agent_id,
            status: row.status,
            steps: row.total_steps,
            credits: row.billed_units / unitsPerCredit,
            started: new Date(row.created_at).toISOString(),
          })),
        );
      }),
    );
}

function addPublisherCommands(publishers: Command, { withDatabase, print }: Tools): void {
  publishers
    .command("create <id>")
    .requiredOption("--user <user>", "owner: id or address")
    .option("--name <name>")
    .description("a name under which a person publishes agents")
    .action((id: string, options: { user: string; name?: string }) =>
      withDatabase(async (database) => {
        if (!/^[a-z0-9-]{2,40}$/.test(id)) throw new Refusal(400, "A publisher's id is of a-z, 0-9 and -");
        const { id: userId } = await mustFind(database, options.user);
        const inserted = await database.db
          .insertInto("publisher")
          .values({ id, name: options.name ?? id, user_id: userId, created_at: Date.now() })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!inserted) throw new Refusal(409, `There is a publisher ${id} already`);
        print({ publisherId: id, userId });
      }),
    );
}

function addSubscriptionCommands(subscriptions: Command, { withDatabase, print }: Tools): void {
  subscriptions
    .command("set <user>")
    .addOption(new Option("--tier <tier>").choices(Object.keys(tiers)).makeOptionMandatory())
    .option("--ends <time>", "ISO time; never without", readTime)
    .option("--per-block <credits>", "instead of the tier's", readCount)
    .option("--per-week <credits>", "instead of the tier's", readCount)
    .description("begin or change a subscription")
    .action((who: string, options: { tier: string; ends?: number; perBlock?: number; perWeek?: number }) =>
      withDatabase(async (database) => {
        const { id } = await mustFind(database, who);
        const tier = tiers[options.tier];
        if (!tier) throw new Refusal(400, `There is no tier ${options.tier}`);
        const terms = {
          tier: options.tier,
          ends_at: options.ends ?? never,
          units_per_block: (options.perBlock ?? tier.creditsPerBlock) * unitsPerCredit,
          units_per_week: (options.perWeek ?? tier.creditsPerWeek) * unitsPerCredit,
        };
        await database.db
          .insertInto("subscription")
          .values({ owner_id: id, started_at: Date.now(), ...terms })
          .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(terms))
          .execute();
        print({
          userId: id,
          tier: options.tier,
          creditsPerBlock: terms.units_per_block / unitsPerCredit,
          creditsPerWeek: terms.units_per_week / unitsPerCredit,
        });
      }),
    );
}

async function mustFind(database: Database, who: string): Promise<User> {
  const user = await findUser(database, who);
  if (!user) throw new Refusal(404, `There is no user ${who}`);
  return user;
}

function readCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function readEmail(text: string): string {
  if (/^\S+@\S+$/.test(text) && text.length <= 200) return text;
  throw new InvalidArgumentError("It must be an e-mail address.");
}

function readTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("It must be a time such as 2030-01-31T12:00:00Z.");
  return time;
}
