/**
 * This build beside another one, on a machine that others use too: both run at once and are measured in turn, so that a
 * neighbour falls on both. A block has processes of its own, because how code was compiled and where memory lies stays for a
 * process's life; its middle pair is one value. Blocks are added until an interval decides.
 */
import { median } from "../statistics.mjs";
import { medianInterval, verdictOf } from "./interval.mjs";

/** The fewest blocks an interval can be made of, how many more between two looks at it, and the most. */
const blocks = { least: 8, step: 4, most: 40 };
const pairs = 5;

/**
 * @typedef {{ measure: () => Promise<Record<string, number>>, close: () => Promise<unknown> }} Fixture
 * @typedef {{ root: string, nodeArgs: string[] }} Build
 * @typedef {{ units: Record<string, string>, open: (build: Build) => Promise<Fixture> }} Subject what is less is better
 */

/** @param {{ subject: Subject, ours: Build, theirs: Build, isQuick: boolean, say: (text: string) => void }} options */
export async function compare({ subject, ours, theirs, isQuick, say }) {
  const found = Object.keys(subject.units).map((name) => ({ name, ours: [], theirs: [], ratios: [] }));
  const most = isQuick ? 2 : blocks.most;
  for (let block = 1; block <= most; block++) {
    const measured = await measureBlock(subject, { ours, theirs, isTurned: block % 2 === 0, isQuick });
    for (const figure of found) {
      const [mine, other] = [measured.ours, measured.theirs].map((all) => all.map((one) => one[figure.name]));
      figure.ours.push(median(mine));
      figure.theirs.push(median(other));
      figure.ratios.push(median(mine.map((value, pair) => value / other[pair])));
    }
    say(`block ${block}: ${found.map(({ name, ratios }) => `${name} ${ratios.at(-1).toFixed(2)}`).join(" · ")}`);
    const isLook = block >= blocks.least && (block - blocks.least) % blocks.step === 0;
    if (isLook && found.every(({ ratios }) => verdictOf(medianInterval(ratios)) !== "undecided")) break;
  }
  return found.map(({ name, ratios, ...values }) => {
    const interval = medianInterval(ratios);
    return {
      name,
      unit: subject.units[name],
      value: median(values.ours),
      baseline: median(values.theirs),
      interval,
      blocks: ratios.length,
      verdict: verdictOf(interval),
    };
  });
}

async function measureBlock(subject, { ours, theirs, isTurned, isQuick }) {
  const measured = { ours: [], theirs: [] };
  const opened = {};
  try {
    for (const [side, build] of inTurn({ ours, theirs }, isTurned)) opened[side] = await subject.open(build);
    // The first of each warms up.
    for (let pair = 0; pair <= (isQuick ? 1 : pairs); pair++) {
      for (const [side, fixture] of inTurn(opened, pair % 2 === 1)) {
        const figures = await fixture.measure();
        if (pair > 0) measured[side].push(figures);
      }
    }
  } finally {
    await Promise.all(Object.values(opened).map((fixture) => fixture.close()));
  }
  return measured;
}

function inTurn(sides, isTurned) {
  const both = Object.entries(sides).sort(([left], [right]) => left.localeCompare(right));
  return isTurned ? both.reverse() : both;
}
