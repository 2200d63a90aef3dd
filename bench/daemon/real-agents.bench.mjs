/** Create + first turn of the real agents on a scripted model: what of it is the agent's time, and what is ours. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedLlm } from "@muster/scripted-llm";
import { startDaemon } from "../daemon.mjs";
import { programs, scratchFolder } from "../processes.mjs";
import { median } from "../statistics.mjs";

const agents = {
  claude: { version: "2.1.325", settings: { token: "sk-ant-bench-0000" } },
  codex: { version: "0.166.0", settings: { model: "gpt-5.5", token: "sk-codex-bench-0000" } },
  opencode: { version: "1.18.33", settings: { model: "scripted/m1", token: "sk-fake-bench-0000" } },
};
/** Where `npm test` keeps them too: each is fetched once per machine. */
const kept = process.env.MUSTER_TEST_AGENTS_DIR ?? join(tmpdir(), "muster-test-agents");
const mostOwnMs = 30;

export async function run({ report, say, rounds }) {
  const turns = [{ text: "Hello.", times: "always" }];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  try {
    for (const [agent, { version, settings }] of Object.entries(agents)) {
      const program = await install(agent, version);
      const times = [];
      for (let round = 1; round <= rounds(7); round++) {
        times.push(await firstTurn(agent, program, { ...settings, baseUrl: llm.url }));
        const { whole, ours } = times.at(-1);
        say(`${agent}, ${round} of ${rounds(7)}: ${whole.toFixed(0)} ms, ours ${ours.toFixed(1)}`);
      }
      tell(report, `${agent} ${version}`, times);
    }
  } finally {
    await llm.close();
  }
}

function tell(report, agent, times) {
  const [whole, ours] = ["whole", "ours"].map((key) => median(times.map((time) => time[key])));
  report({
    name: `${agent}: create a session + first turn`,
    value: whole,
    unit: "ms",
    baseline: median(times.map((time) => time.whole - time.ours)),
    baselineIs:
      "the agent alone: its start, and from each time it was spoken to until it said the last thing after that",
  });
  report({ name: "… of that ours", value: ours, unit: "ms", budget: `≤ ${mostOwnMs}`, ok: ours <= mostOwnMs });
}

async function install(agent, version) {
  const daemon = await startDaemon({ dataDir: join(kept, agent) });
  const { path } = await daemon.call("POST", `/agents/${agent}/install`, { version });
  await daemon.stop();
  return path;
}

/** A daemon of its own each time: the servers of Codex and OpenCode are started anew. */
async function firstTurn(agent, program, settings) {
  const home = await scratchFolder();
  const file = join(home, "times");
  const timed = join(home, agent);
  const directory = join(home, "work");
  await mkdir(directory);
  await writeFile(timed, `#!/bin/sh\nexec ${process.execPath} ${programs.timedAgent} ${program} ${file} "$@"\n`);
  await chmod(timed, 0o755);
  const env = { HOME: home, PATH: process.env.PATH };
  const daemon = await startDaemon({ env, args: ["--agent-source", `${agent}=path:${timed}`] });
  await daemon.call("GET", "/health");
  // What its version was asked for is no part of a session.
  await daemon.call("GET", `/agents/${agent}`);
  await rm(file, { force: true });
  const from = now();
  const { healthy, error } = await daemon.call("POST", "/sessions/first", { agent, directory, ...settings });
  if (!healthy) throw new Error(`${agent} did not start: ${JSON.stringify(error)}`);
  await daemon.stream("first", "say hello");
  const to = now();
  await daemon.stop();
  return { whole: to - from, ours: ownTime(await readNotes(file), from, to) };
}

/** After the agent has said something and until it is spoken to again, it is our turn; before its start, too. */
function ownTime(notes, from, to) {
  let own = 0;
  let last = { what: "out", at: from };
  for (const note of [...notes.filter(({ at }) => at < to), { what: "in", at: to }]) {
    if (last.what === "out" && note.what !== "out") own += note.at - last.at;
    last = note;
  }
  return own;
}

async function readNotes(file) {
  const lines = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).sort((left, right) => left.at - right.at);
}

function now() {
  return performance.timeOrigin + performance.now();
}
