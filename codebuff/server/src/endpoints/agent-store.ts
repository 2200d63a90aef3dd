import { knowUser } from "../admission/user.ts";
import type { Connection, Tables } from "../database/tables.ts";
import { Refusal } from "../refusal.ts";
import type { Call } from "./answer.ts";

type Published = Pick<Tables["agent_config"], "publisher_id" | "id" | "version" | "data">;

/** `GET /api/v1/agents/{publisher}/{id}/{version|latest}`: open to everybody who has a key. */
export async function getAgent({ request, params, service }: Call): Promise<object> {
  await knowUser(request.headers, service);
  const { publisher = "", id = "", version = "latest" } = params;
  const found = await findAgent(service.database.db, publisher, id, version);
  if (!found) throw new Refusal(404, `There is no agent ${`${publisher}/${id}@${version}`.slice(0, 200)}`, notFound);
  return { version: found.version, data: JSON.parse(found.data) };
}

const notFound = { code: "agent_not_found" };

/** `GET /api/v1/agents?publisher=&q=`: the newest version of each. */
export async function listAgents({ request, query, service }: Call): Promise<object> {
  await knowUser(request.headers, service);
  const publisher = query.get("publisher");
  const words = (query.get("q") ?? "").toLowerCase();
  let select = service.database.db.selectFrom("agent_config").select(["publisher_id", "id", "version", "data"]);
  if (publisher !== null && publisher !== "") select = select.where("publisher_id", "=", publisher);
  const rows: Published[] = await select
    .orderBy("publisher_id")
    .orderBy("id")
    .orderBy("major", "desc")
    .orderBy("minor", "desc")
    .orderBy("patch", "desc")
    .execute();
  const newest = new Map<string, Published>();
  for (const row of rows) {
    const key = `${row.publisher_id}/${row.id}`;
    if (!newest.has(key)) newest.set(key, row);
  }
  const agents = [...newest.values()].map(describe).filter((agent) => matches(agent, words));
  return { agents: agents.slice(0, 200) };
}

export function findAgent(
  connection: Connection,
  publisherId: string,
  id: string,
  version: string,
): Promise<Published | undefined> {
  let select = connection
    .selectFrom("agent_config")
    .select(["publisher_id", "id", "version", "data"])
    .where("publisher_id", "=", publisherId)
    .where("id", "=", id);
  if (version !== "latest") select = select.where("version", "=", version);
  return select
    .orderBy("major", "desc")
    .orderBy("minor", "desc")
    .orderBy("patch", "desc")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

interface Described {
  readonly publisher: string;
  readonly id: string;
  readonly version: string;
  readonly displayName: string;
  readonly description?: string;
}

function describe({ publisher_id, id, version, data }: Published): Described {
  const { displayName = id, spawnerPrompt } = JSON.parse(data) as { displayName?: string; spawnerPrompt?: string };
  return { publisher: publisher_id, id, version, displayName, description: spawnerPrompt };
}

function matches({ id, displayName, description }: Described, words: string): boolean {
  return [id, displayName, description ?? ""].some((text) => text.toLowerCase().includes(words));
}
