/** Whether messages that wait make a restart slower: none of them against 10,000, after a daemon was killed. */
import { cp } from "node:fs/promises";
import { startDaemon } from "../daemon.mjs";
import { keepAlive } from "../keep-alive.mjs";
import { removeFolder, scratchFolder } from "../processes.mjs";
import { median } from "../statistics.mjs";

const mostRatio = 1.5;
const sessionId = "busy";

export async function run({ report, say, rounds, scale }) {
  const many = scale(10_000);
  const empty = await killedDaemon(0, say);
  const full = await killedDaemon(many, say);
  const results = { empty: { health: [], view: [] }, full: { health: [], view: [] } };
  for (let round = 1; round <= rounds(7); round++) {
    say(`restart ${round} of ${rounds(7)}`);
    await restart(empty, 0, results.empty);
    await restart(full, many, results.full);
  }
  for (const [title, field] of [
    ["restart → /health", "health"],
    ["restart → the session is seen", "view"],
  ]) {
    const [value, baseline] = [median(results.full[field]), median(results.empty[field])];
    report({
      name: `${title}, ${many.toLocaleString("en")} messages wait`,
      value,
      unit: "ms",
      baseline,
      baselineIs: "the same with an empty queue",
      budget: `≤ ${mostRatio} ×`,
      ok: value / baseline <= mostRatio,
    });
  }
  for (const folder of [empty, full]) await removeFolder(folder);
}

/** The data directory of a daemon that was killed in a turn, with so many messages behind it. */
async function killedDaemon(count, say) {
  say(`queueing ${count.toLocaleString("en")} messages`);
  const daemon = await startDaemon();
  await daemon.create(sessionId);
  await daemon.send(sessionId, "hang");
  let left = count;
  const post = async () => {
    while (left-- > 0) await daemon.send(sessionId, "echo later");
  };
  await Promise.all(Array.from({ length: 32 }, post));
  process.kill(daemon.pid, "SIGKILL");
  return daemon.data;
}

/** On a copy: a daemon that runs gives the messages to its agent. */
async function restart(data, count, results) {
  const copy = await scratchFolder();
  await cp(data, copy, { recursive: true, filter: (path) => !path.includes("/writer/") });
  const daemon = await startDaemon({ dataDir: copy });
  const connection = await keepAlive(daemon.port);
  await connection.ask("GET", "/health");
  results.health.push(performance.now() - daemon.started);
  const answer = await connection.ask("GET", `/sessions/${sessionId}`);
  results.view.push(performance.now() - daemon.started);
  const { queued } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  if (queued > count || queued < count * 0.9) throw new Error(`${queued} messages wait after a restart, not ${count}`);
  connection.close();
  process.kill(daemon.pid, "SIGKILL");
  await daemon.stop();
  await removeFolder(copy);
}
