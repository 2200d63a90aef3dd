/** Runs the benches one after the other and tells what they found. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runAgainst, subjects } from "./against/main.mjs";
import { asText, machine, neighbours } from "./machine.mjs";
import { leave, stopEverything } from "./processes.mjs";
import { figure, table } from "./table.mjs";

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number} [baseline] the same without us, measured in the same run
 * @property {string} [baselineIs]
 * @property {number} [ratio] value ÷ baseline
 * @property {string} [budget]
 * @property {boolean} [ok] undefined with a budget: the machine was too busy to tell
 * @property {string} [note]
 * @property {"ok" | "OVER" | "busy" | ""} verdict
 */

const benches = {
  start: () => import("./daemon/start.bench.mjs"),
  requests: () => import("./daemon/requests.bench.mjs"),
  turns: () => import("./daemon/turns.bench.mjs"),
  "real-agents": () => import("./daemon/real-agents.bench.mjs"),
  events: () => import("./daemon/events.bench.mjs"),
  "fan-out": () => import("./daemon/fan-out.bench.mjs"),
  replay: () => import("./daemon/replay.bench.mjs"),
  "open-readers": () => import("./daemon/open-readers.bench.mjs"),
  "old-sessions": () => import("./daemon/old-sessions.bench.mjs"),
  "long-queue": () => import("./daemon/long-queue.bench.mjs"),
  processes: () => import("./daemon/processes.bench.mjs"),
  "open-items": () => import("./open-items.bench.mjs"),
  "gateway-overhead": () => import("./gateway-overhead.bench.mjs"),
  inspector: () => import("./inspector.bench.mjs"),
  snapshots: () => import("./snapshots.bench.mjs"),
  client: () => import("./client.bench.mjs"),
  files: () => import("./files.bench.mjs"),
  python: () => import("./python.bench.mjs"),
  packages: () => import("./packages.bench.mjs"),
  forms: () => import("./forms.bench.mjs"),
  peer: () => import("./peer.bench.mjs"),
};

const help = `npm run bench -- [options]

  --only <name>     one of ${Object.keys(benches).join(", ")} (repeatable)
  --quick           fewer rounds and a tenth of the events: shows that it works, says little
  --json            the results as JSON on stdout, everything else on stderr
  --strict          exit code 1 when a budget is missed or a bench failed (else 0)
  --against <folder> this build beside that of another checkout, measured in turn: a verdict for each figure
                    (--only: ${Object.keys(subjects).join(", ")})
  --plant <percent> with --against: this build's daemon takes so much more CPU, to see that it is found
  --peer <binary>   sandbox-agent beside us in peer and forms: its binary (npm: @sandbox-agent/cli-linux-x64)
  --profile <dir>   CPU profiles of the daemons of requests, turns, events, fan-out, replay and open-readers
  --help

Results are also written to bench/results/<time>.json. A budget is judged only by what was measured in this run: on a
busy machine look at the ratios.
`;

/** The exit code. */
export async function main(args) {
  const options = readOptions(args);
  if (options.problem !== undefined) return tell(`${options.problem}\n\n${help}`, 2);
  if (options.help) return tell(help, 0, process.stdout);
  if (process.platform !== "linux") return tell("CPU and memory are read from /proc: the bench needs Linux.\n", 2);
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
    process.once(signal, () => void leave().finally(() => process.exit(code)));
  }
  const { lines, failures, ...run } = await runAll(options);
  const file = await writeResults({ ...run, lines, failures });
  if (options.json) process.stdout.write(`${JSON.stringify({ ...run, lines, failures }, null, 2)}\n`);
  else process.stdout.write(`\n${table(lines)}\n\n`);
  for (const { bench, message } of failures) say(bench, `FAILED: ${message}`);
  const over = lines.filter(({ verdict }) => verdict === "OVER");
  process.stderr.write(`${over.length} over budget, ${failures.length} failed · ${file}\n`);
  return options.strict && over.length + failures.length > 0 ? 1 : 0;
}

async function runAll(options) {
  const at = new Date().toISOString();
  const about = { at, quick: options.quick, machine: machine(), neighbours: asText(await neighbours()) };
  say("machine", `${about.machine.cores} cores, Node ${about.machine.node}, ${about.neighbours}`);
  const { against: folder, only, quick, plant } = options;
  const found =
    folder === undefined ? await runBenches(options) : await runAgainst({ folder, only, quick, plant, say });
  return { ...about, ...found };
}

async function runBenches({ names, quick, profile, peer }) {
  const lines = [];
  const failures = [];
  for (const name of names) {
    const context = {
      report: (line) => lines.push(judged(name, line)),
      say: (text) => say(name, text),
      rounds: (count) => (quick ? Math.min(2, count) : count),
      scale: (count) => (quick ? count / 10 : count),
      profile,
      peer,
    };
    try {
      const { run } = await benches[name]();
      await run(context);
    } catch (error) {
      failures.push({ bench: name, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    } finally {
      await stopEverything();
    }
  }
  return { lines, failures };
}

/** Packages give a budget as a text, a number or null. @returns {Line} */
function judged(bench, line) {
  const ratio = line.ratio ?? (line.baseline ? line.value / line.baseline : undefined);
  const budget = typeof line.budget === "number" ? figure(line.budget) : (line.budget ?? undefined);
  const verdict = budget === undefined ? "" : line.ok === undefined ? "busy" : line.ok ? "ok" : "OVER";
  say(bench, `${line.name}: ${figure(line.value)} ${line.unit} ${verdict}`);
  return { bench, ...line, budget, ...(ratio === undefined ? {} : { ratio }), verdict };
}

async function writeResults(results) {
  const folder = new URL("results/", import.meta.url);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${results.at.replaceAll(":", "-")}.json`, folder);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return fileURLToPath(file);
}

function readOptions(args) {
  const flags = {
    quick: flag(),
    json: flag(),
    strict: flag(),
    help: flag(),
    profile: { type: "string" },
    against: { type: "string" },
    plant: { type: "string" },
    peer: { type: "string" },
  };
  try {
    const { values } = parseArgs({ args, options: { ...flags, only: { type: "string", multiple: true } } });
    const { peer, only, against, plant } = values;
    const unknown = only?.find((name) => !(name in (against === undefined ? benches : subjects)));
    if (unknown !== undefined) return { problem: `There is no bench ${unknown}.` };
    if (plant !== undefined && against === undefined) return { problem: "--plant goes with --against." };
    if (only?.includes("peer") && peer === undefined) return { problem: "The bench peer needs --peer <binary>." };
    const names = only ?? Object.keys(benches).filter((name) => name !== "peer" || peer !== undefined);
    return { ...values, quick: values.quick ?? false, names };
  } catch (error) {
    return { problem: error.message };
  }
}

function flag() {
  return { type: "boolean" };
}

function say(bench, text) {
  process.stderr.write(`${bench.padEnd(12)} ${text}\n`);
}

function tell(text, code, stream = process.stderr) {
  stream.write(text);
  return code;
}
