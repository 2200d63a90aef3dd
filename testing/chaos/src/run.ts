import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Whether this is `npm run chaos`, which tries everything; `npm test` tries a part of it. */
export const isLong = Boolean(process.env.MUSTER_CHAOS);

/** Printed with the results: `MUSTER_CHAOS_SEED=<seed> npm run chaos` tries the same again. */
export const seed = Number(process.env.MUSTER_CHAOS_SEED ?? 20261116);

/** Numbers between 0 and 1 that are the same at every run with the same seed. */
export function random(stream = seed): () => number {
  let state = stream >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One row of the table: what was tried, how often, and how often it held. Rows of one fault are added up. */
export interface Row {
  fault: string;
  /** For a fault that is tried in parts: a part that held is not tried again when the run is resumed. */
  part?: number;
  tried: number;
  held: number;
  /** What else was counted, by its name. */
  counts?: Record<string, number>;
  note?: string;
}

export function tell(row: Row): void {
  const { fault, tried, held } = row;
  process.stdout.write(
    `chaos: ${fault}: ${tried} tried, ${held} held ${JSON.stringify(row.counts ?? row.note ?? "")}\n`,
  );
  if (results !== undefined) appendFileSync(results, `${JSON.stringify(row)}\n`);
}

/** Whether this part of a fault is to be tried now: it has not held before, and the time of this run is not over. */
export function isDue(fault: string, part: number): boolean {
  if (results === undefined || !existsSync(results)) return true;
  if (Date.now() > Number(process.env.MUSTER_CHAOS_UNTIL)) {
    appendFileSync(results, `${JSON.stringify({ cut: fault, part })}\n`);
    return false;
  }
  const rows = readFileSync(results, "utf8").split("\n").filter(Boolean);
  return !rows
    .map((line) => JSON.parse(line) as Row)
    .some((row) => row.fault === fault && row.part === part && row.held === row.tried);
}

const results = process.env.MUSTER_CHAOS_RESULTS;
