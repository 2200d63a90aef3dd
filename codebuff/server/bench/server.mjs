/** A codebuff-server of some build with people who have runs, and one model call of the next of them. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stop } from "../../../bench/processes.mjs";
import { startChild } from "./children.mjs";
import { chat, stream } from "./stream.mjs";

/** As many people as the test of the ledger under fire has; each has credits for every round. */
const accounts = 50;

export async function startGateway({ root, databaseUrl, providerUrl, home, agent }) {
  const env = {
    DATABASE_URL: databaseUrl,
    OPENROUTER_API_KEY: "sk-or-bench",
    OPENROUTER_BASE_URL: providerUrl,
    LOG_LEVEL: "error",
  };
  const folder = join(root, "codebuff/server");
  const keys = await makeAccounts(folder, databaseUrl);
  const args = [join(folder, "bin/codebuff-server.cjs"), "serve", "--port", "0"];
  const [child, url] = await startChild(args, { home, env, pattern: /Codebuff server: (\S+)\n/ });
  const people = [];
  for (const key of keys) {
    const start = { agent, key, body: { action: "START", agentId: "base2" } };
    const { runId } = JSON.parse((await stream(`${url}/api/v1/agent-runs`, start)).text);
    people.push({ key, runId });
  }
  let turn = 0;
  return {
    pid: child.pid,
    ask() {
      const { key, runId } = people[turn++ % people.length];
      return stream(`${url}/api/v1/chat/completions`, { agent, key, body: chat(runId) });
    },
    stop: () => stop(child),
  };
}

async function makeAccounts(folder, url) {
  const load = (file) => import(pathToFileURL(join(folder, "dist", file)).href);
  const { openDatabase } = await load("database/open.js");
  const { createSession } = await load("people/sessions.js");
  const { createUser } = await load("people/users.js");
  const database = await openDatabase(url);
  try {
    const keys = [];
    for (let n = 0; n < accounts; n++) {
      const person = { email: `${n}@example.com`, credits: 1_000_000, freeCreditsPerMonth: 0, at: Date.now() };
      const { id: userId } = await createUser(database, person);
      const { secret } = await createSession(database.db, { userId, kind: "pat", name: "bench", at: Date.now() });
      keys.push(secret);
    }
    return keys;
  } finally {
    await database.close();
  }
}
