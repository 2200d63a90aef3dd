import type { Client } from "@muster/client";
import { type CreateSession, Failure, type Session, UpdateSession } from "@muster/schema";
import { UsageError } from "../environment/exit.ts";
import { flagOf } from "../fields/operation-fields.ts";

export interface SessionWish {
  agent: string;
  /** Everything else that was asked for. */
  settings: Omit<CreateSession, "agent">;
  /** Goes on with this session, or creates it. */
  sessionId?: string;
  /** Goes on with the last one of this agent in this directory. */
  continues: boolean;
}

/** The session of a conversation. Throws `agent_unhealthy` when its agent does not start; a new one is then gone again. */
export async function openSession(client: Client, wish: SessionWish): Promise<{ session: Session; isNew: boolean }> {
  const known = await findSession(client, wish);
  if (known !== undefined) return { session: await change(client, known, wish), isNew: false };
  const { agent, settings, sessionId } = wish;
  const { healthy, error, session } = await client.sessions.create({ sessionId, agent, ...settings });
  if (healthy) return { session, isNew: true };
  await client.sessions.delete({ sessionId: session.sessionId });
  const message = error?.message ?? `${agent} does not start`;
  throw new Failure("agent_unhealthy", message, { error });
}

async function findSession(client: Client, { agent, settings, sessionId, continues }: SessionWish) {
  if (sessionId !== undefined) {
    return await client.sessions.get({ sessionId }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === "session_not_found") return undefined;
      throw error;
    });
  }
  if (!continues) return undefined;
  const { directory } = settings;
  const { sessions } = await client.sessions.list({ agent, directory, order: "used", limit: 1 });
  const [latest] = sessions;
  if (latest !== undefined) return latest;
  const where = directory === undefined ? "" : ` in ${directory}`;
  throw new UsageError(`there is no session of ${agent}${where} to continue`);
}

/** What can be changed is changed; the rest was settled when the session was created. */
async function change(client: Client, session: Session, { agent, settings }: SessionWish): Promise<Session> {
  const { sessionId } = session;
  if (session.agent !== agent)
    throw new UsageError(`the session ${sessionId} is one of ${session.agent}, not ${agent}`);
  const { directory, ...given } = settings;
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined);
  const fixed = wanted.map(([name]) => name).find((name) => !(name in UpdateSession.shape));
  if (fixed !== undefined)
    throw new UsageError(
      `--${flagOf(fixed)} was settled when the session ${sessionId} was created: leave it out, or begin a new session`,
    );
  return wanted.length === 0 ? session : await client.sessions.update({ sessionId, ...Object.fromEntries(wanted) });
}
