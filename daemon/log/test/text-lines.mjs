/** Lines for tests of the log, written out plainly. In JavaScript, because the programs of the tests run without a build. */

const key = '{"sequence":';
const typeKey = '"type":"';

/**
 * What a log of texts is told about its lines: of the types `text`, which readers may leave out, and `end`.
 * @param {string} name
 * @returns {import("../src/index.ts").LogForm}
 */
export function textForm(name) {
  return {
    owner: { name },
    title: `The log ${name}`,
    prefix: "lines",
    key,
    longest: 1024 * 1024,
    shortest: 50,
    isSkippable,
    damageLine: ({ from, to, bytes, keptAs }, time) =>
      lineOf(to, time, name, { type: "damage", data: { from, to, bytes, keptAs } }),
  };
}

/** @typedef {{ type: "text", data: { text: string } } | { type: "end", data: {} }} Draft */

/**
 * @param {{ name: string, first: number, time: string }} place
 * @param {readonly Draft[]} drafts
 * @returns {import("../src/index.ts").NewLines}
 */
export function newLines({ name, first, time }, drafts) {
  const lines = drafts.map((draft, index) => Buffer.from(`${lineOf(first + index, time, name, draft)}\n`));
  let end = 0;
  const ends = lines.map((line) => {
    end += line.length;
    return end;
  });
  return {
    bytes: Buffer.concat(lines),
    start: 0,
    first,
    ends,
    time,
    skippable: drafts.map(({ type }) => type === "text"),
  };
}

/** @param {{ type: string, data: unknown }} body */
function lineOf(sequence, time, name, body) {
  return `${key}${sequence},${JSON.stringify({ time, name, ...body }).slice(1)}`;
}

function isSkippable(bytes, start) {
  const type = bytes.indexOf(typeKey, start) + typeKey.length;
  return bytes.toString("latin1", type, type + 5) === 'text"';
}

/** Each line with its number before it, made slowly and plainly. @type {import("../src/index.ts").Framing} */
export const textFraming = {
  extraBytes: ({ first, ends }) => ends.reduce((sum, _, index) => sum + `id: ${first + index}\ndata: \n`.length, 0),
  frame({ bytes, start, first, ends }, at) {
    let used = at;
    return ends.map((end, index) => {
      const from = ends[index - 1] ?? start;
      const parts = [Buffer.from(`id: ${first + index}\ndata: `), bytes.subarray(from, end), Buffer.from("\n")];
      used += Buffer.concat(parts).copy(bytes, used);
      return used;
    });
  },
};
