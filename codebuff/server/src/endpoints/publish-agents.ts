import { type AgentDefinition, checkAgentDefinitions, PublishBody } from "@muster/codebuff-protocol";
import { refuseBanned } from "../admission/ban.ts";
import { knowUser } from "../admission/user.ts";
import type { Connection } from "../database/tables.ts";
import { Refusal } from "../refusal.ts";
import { findAgent } from "./agent-store.ts";
import { type Call, readChecked } from "./answer.ts";

/** `POST /api/agents/publish`: all of them or none. */
export async function publishAgents({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  refuseBanned(user);
  const { data, allLocalAgentIds = [] } = await readChecked({ request, service }, PublishBody);
  const { agents, faults } = checkAgentDefinitions(data);
  if (faults.length > 0) {
    const said = faults.map(({ id, message }) => `${id}: ${message}`).join("; ");
    throw new Refusal(400, `Agents are not valid: ${said}`, { more: { validationErrors: faults } });
  }
  const publisherId = publisherOf(agents);
  const at = service.now();
  return service.database.transaction(user.id, async (connection) => {
    await checkPublisher(connection, publisherId, user.id);
    const local = new Set([...allLocalAgentIds, ...agents.map(({ id }) => id)]);
    const published: { id: string; version: string; displayName: string }[] = [];
    for (const [index, agent] of agents.entries()) {
      await checkSubAgents(
        connection,
        agent.spawnableAgents,
        publisherId,
        agents.map(({ id }) => id),
        local,
      );
      const version = agent.version ?? (await nextVersion(connection, publisherId, agent.id));
      await insertAgent(connection, {
        publisherId,
        id: agent.id,
        version,
        definition: storedForm(data[index], agent),
        at,
      });
      published.push({ id: agent.id, version, displayName: agent.displayName });
    }
    return { success: true, publisherId, agents: published };
  });
}

/** With every default written out: clients of the original read the stored form without filling anything in. */
function storedForm(given: unknown, agent: AgentDefinition): object {
  const { handleSteps: _function, ...defaults } = agent;
  return {
    spawnerPrompt: "",
    stepPrompt: "",
    instructionsPrompt: "",
    inputSchema: {},
    ...defaults,
    ...(given as object),
  };
}

function publisherOf(agents: readonly { publisher?: string | undefined }[]): string {
  const publishers = new Set(agents.map(({ publisher }) => publisher));
  const [only] = publishers;
  if (publishers.size !== 1) throw new Refusal(400, "All agents of a request must have the same publisher");
  if (only === undefined) throw new Refusal(400, "The agents name no publisher");
  return only;
}

async function checkPublisher(connection: Connection, publisherId: string, userId: string): Promise<void> {
  const publisher = await connection
    .selectFrom("publisher")
    .selectAll()
    .where("id", "=", publisherId)
    .executeTakeFirst();
  if (!publisher) throw new Refusal(400, `There is no publisher ${publisherId.slice(0, 100)}`);
  if (publisher.user_id !== userId) throw new Refusal(403, `The publisher ${publisherId} belongs to somebody else`);
}

/** A sub-agent is published, or comes with the same request. */
async function checkSubAgents(
  connection: Connection,
  wanted: readonly string[],
  publisherId: string,
  inRequest: readonly string[],
  local: ReadonlySet<string>,
): Promise<void> {
  for (const name of wanted) {
    if (inRequest.includes(name)) continue;
    const [, publisher = publisherId, id = name, version = "latest"] =
      /^(?:([^/@]+)\/)?([^/@]+)(?:@(.+))?$/.exec(name) ?? [];
    if (await findAgent(connection, publisher, id, version)) continue;
    const hint = local.has(name) ? "publish it in the same request" : "it is not published";
    throw new Refusal(400, `The sub-agent ${name.slice(0, 100)} cannot be found: ${hint}`);
  }
}

async function nextVersion(connection: Connection, publisherId: string, id: string): Promise<string> {
  const last = await findAgent(connection, publisherId, id, "latest");
  if (!last) return "0.0.1";
  const [major, minor, patch] = numbersOf(last.version);
  return `${major}.${minor}.${patch + 1}`;
}

async function insertAgent(
  connection: Connection,
  {
    publisherId,
    id,
    version,
    definition,
    at,
  }: { publisherId: string; id: string; version: string; definition: unknown; at: number },
): Promise<void> {
  const [major, minor, patch] = numbersOf(version);
  const data = JSON.stringify({ ...(definition as object), publisher: publisherId, version });
  const inserted = await connection
    .insertInto("agent_config")
    .values({ publisher_id: publisherId, id, version, major, minor, patch, data, created_at: at })
    .onConflict((conflict) => conflict.columns(["publisher_id", "id", "version"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) throw new Refusal(409, `${publisherId}/${id}@${version} has been published already`);
}

function numbersOf(version: string): [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  return [major, minor, patch];
}
