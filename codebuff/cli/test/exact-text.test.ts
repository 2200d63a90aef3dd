import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

const text = 'Here:\n\n```python\ndef f(x):\n    return x\n\n\nprint(f("ä🙂"))\n```\n\n- one\n- two\n\nEnd.\n';
const seeds = [1, 2, 3, 4];

/** Pieces of one character, then of random lengths, by seed. */
function cut(seed: number): string[] {
  const letters = [...text];
  const pieces: string[] = [];
  let state = seed * 7919;
  for (let at = 0; at < letters.length; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const length = seed === 1 ? 1 : 1 + (state % (seed * 6));
    pieces.push(letters.slice(at, at + length).join(""));
    at += length;
  }
  return pieces;
}

let world: World;
beforeAll(async () => {
  const conversations = seeds.map((seed) => ({
    match: { firstUser: `cut ${seed}` },
    each: "prompt" as const,
    turns: [{ text: cut(seed) }],
  }));
  world = await openWorld({ conversations });
});
afterAll(() => world.close());

describe.each(seeds)("a text cut into pieces (%i)", (seed) => {
  it("is printed byte for byte by -n, -n -q and --stream-json", async () => {
    const streamed = await world.run(["-n", `cut ${seed}`]);
    const quiet = await world.run(["-n", "-q", `cut ${seed}`]);
    const { lines } = await world.run(["--stream-json", `cut ${seed}`]);
    expect(streamed.out).toBe(text);
    expect(quiet.out).toBe(text);
    expect(lines.map((line) => (line.type === "text" ? line.text : "")).join("")).toBe(text);
  });
});
