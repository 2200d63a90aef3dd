import { appendFileSync } from "node:fs";

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

/** One row of the table: what was tried, how often, and how often it held. `note` says what else was seen. */
export function tell(row: { fault: string; tried: number; held: number; note?: string }): void {
  const { fault, tried, held, note } = row;
  process.stdout.write(`chaos: ${fault}: ${tried} tried, ${held} held${note === undefined ? "" : ` (${note})`}\n`);
  const file = process.env.MUSTER_CHAOS_RESULTS;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}
