import { openDatabase } from "../../src/database/open.ts";
import { newRun } from "../../src/people/runs.ts";
import { createSession } from "../../src/people/sessions.ts";
import { createUser } from "../../src/people/users.ts";

/** People with credits, each with a key and a run, in a database whose server is another process. */
export async function makePeople(
  databaseUrl: string,
  { count, credits }: { count: number; credits: number },
): Promise<{ key: string; runId: string }[]> {
  const database = await openDatabase(databaseUrl);
  try {
    const at = Date.now();
    return await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const person = { email: `p${n}@example.com`, credits, freeCreditsPerMonth: 0, at };
        const { id } = await createUser(database, person);
        const { secret } = await createSession(database.db, { userId: id, kind: "pat", name: "test", at });
        const run = newRun({ id: `run-${n}`, userId: id, agentId: "base2", ancestors: [], at });
        await database.db.insertInto("agent_run").values(run).execute();
        return { key: secret, runId: run.id };
      }),
    );
  } finally {
    await database.close();
  }
}
