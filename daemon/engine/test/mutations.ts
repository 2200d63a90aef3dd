/** A source of numbers below 1 that gives the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Changes a share of the lines it is given one after the other; one that waits comes behind the next. */
export function lineMutator(random: Random, share: number): (line: string) => string[] {
  let waiting: string[] = [];
  return (line) => {
    const late = waiting;
    const isLate = random() < share / 5;
    waiting = isLate ? [line] : [];
    return isLate ? late : [...(random() < share ? mutateLine(line, random) : [line]), ...late];
  };
}

/** What a line may become: nothing, itself twice, a part of itself, or the same with one thing changed. */
function mutateLine(line: string, random: Random): string[] {
  const way = random();
  if (way < 0.08) return [];
  if (way < 0.16) return [line, line];
  if (way < 0.22) return [line.slice(0, Math.floor(random() * line.length))];
  try {
    const value: unknown = JSON.parse(line);
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) mutateValue(value, random);
    return [JSON.stringify(value)];
  } catch {
    // It was no JSON before.
    return [line];
  }
}

const strangers = [null, 0, -1, 1.5, 1e21, "", "x", "\u0000\ud800", true, false, {}, [], [[]], { type: 7 }, [null]];

/** Changes one place in a value: a field goes, comes twice under another name, or holds something else. */
function mutateValue(value: unknown, random: Random): void {
  const holders = holdersIn(value);
  if (holders.length === 0) return;
  const holder = pick(random, holders);
  const keys = Object.keys(holder);
  const key = pick(random, keys);
  const way = random();
  if (way < 0.3) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (way < 0.4 && !Array.isArray(holder)) {
    holder[`${key}_`] = holder[key];
    delete holder[key];
  } else if (way < 0.5) {
    const other = pick(random, holders);
    Reflect.set(holder, key, structuredClone(other[pick(random, Object.keys(other)) as never]));
  } else {
    Reflect.set(holder, key, structuredClone(pick(random, strangers)));
  }
}

/** Every object and list in a value that has something in it. */
function holdersIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.keys(value).length > 0 ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap(holdersIn)];
}
