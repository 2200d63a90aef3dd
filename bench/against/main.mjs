/** `npm run bench -- --against <folder>`: the figures that matter most, of this build beside those of another checkout. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asText, neighbours } from "../machine.mjs";
import { programs, stopEverything } from "../processes.mjs";
import { compare } from "./compare.mjs";
import { margin } from "./interval.mjs";

const here = fileURLToPath(new URL("../..", import.meta.url));

export const subjects = {
  start: () => import("./start.mjs"),
  turns: () => import("./turns.mjs"),
  events: () => import("./events.mjs"),
  "fan-out": () => import("./fan-out.mjs"),
  replay: () => import("./replay.mjs"),
  completions: () => import("../../codebuff/server/bench/against.mjs"),
};

/** Lines as the other benches have them; what is slower is over its budget, what nobody can tell is `busy`. */
export async function runAgainst({ folder, only, quick, plant, say }) {
  const theirs = { root: resolve(folder), nodeArgs: [] };
  if (!existsSync(join(theirs.root, "daemon/cli/dist/bundle"))) {
    throw new Error(`${theirs.root} is no built checkout: npm run build makes it one`);
  }
  const ours = {
    root: here,
    nodeArgs: plant === undefined ? [] : ["--require", programs.plantedLoss, `--title=${plant}`],
  };
  const lines = [];
  const failures = [];
  for (const name of only ?? Object.keys(subjects)) {
    try {
      const subject = await subjects[name]();
      const used = asText(await neighbours());
      const found = await compare({ subject, ours, theirs, isQuick: quick, say: (text) => say(name, text) });
      lines.push(...found.map((figure) => lineOf(name, figure, used)));
    } catch (error) {
      failures.push({ bench: name, message: error.stack ?? String(error) });
    } finally {
      await stopEverything();
    }
  }
  return { lines, failures };
}

function lineOf(bench, { name, unit, value, baseline, interval, blocks, verdict }, used) {
  return {
    bench,
    name,
    unit,
    value,
    baseline,
    ratio: interval.median,
    baselineIs: "the other build, in turn with this one; the ratio is the median of the ratios of the blocks",
    budget: `≤ ${(1 + margin).toFixed(2)} ×`,
    verdict: { slower: "OVER", undecided: "busy" }[verdict] ?? "ok",
    note: `${verdict}: 99 % interval ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)} of ${blocks} blocks; ${used}`,
  };
}
