import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Chunk, callMainPrompt } from "../src/index.ts";
import { openWorld, session, type World } from "./memory-ports.ts";
import { finished } from "./scripted-model.ts";

const prompt = { sessionState: session(), content: [{ type: "text" as const, text: "go" }], agent: "my-agent" };

/** A model that counts what is taken of its thousand words. */
function countingWorld(): World & { taken(): number } {
  let taken = 0;
  const world = openWorld({ script: [] });
  const model = {
    contextWindow: () => 200_000,
    async *stream(): AsyncGenerator<Chunk> {
      for (; taken < 1_000; taken++) yield { type: "text-delta", text: "word " };
      yield finished({ reason: "stop" });
    },
  };
  return { ...world, ports: { ...world.ports, model }, taken: () => taken };
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

test("a reader that stops reading stops the model, and goes on where it was", async () => {
  const world = countingWorld();
  const actions = callMainPrompt(prompt, world.ports, new AbortController().signal);
  let words = 0;
  const read = async (most: number) => {
    while (words < most) {
      const { value, done } = await actions.next();
      if (done) return;
      if (value.type === "response-chunk" && typeof value.chunk === "string" && value.chunk !== "") words++;
    }
  };
  for (const place of [10, 300]) {
    await read(place);
    await rest();
    // What waits for the reader, and the word on its way.
    expect(world.taken() - place).toBeLessThanOrEqual(18);
  }
  await read(Number.POSITIVE_INFINITY);
  expect([words, world.taken()]).toEqual([1_000, 1_000]);
});

test("a run that nobody reads ends at the abort", async () => {
  const world = countingWorld();
  const abort = new AbortController();
  const actions = callMainPrompt(prompt, world.ports, abort.signal);
  await actions.next();
  await rest();
  abort.abort();
  await rest();
  expect(world.taken()).toBeLessThan(20);
  expect(world.ledger.at(-1)).toMatchObject({ action: "FINISH", status: "cancelled" });
  const types: string[] = [];
  for await (const { type } of actions) types.push(type);
  expect(types.at(-1)).toBe("prompt-response");
});

test("a reader that leaves ends the run before it is let go", async () => {
  const world = countingWorld();
  const leave = async () => {
    for await (const action of callMainPrompt(prompt, world.ports, new AbortController().signal)) {
      if (action.type === "response-chunk" && action.chunk === "word ") throw new Error("the screen is gone");
    }
  };
  await expect(leave()).rejects.toThrow("the screen is gone");
  expect(world.taken()).toBeLessThan(20);
  expect(world.ledger.at(-1)).toMatchObject({ action: "FINISH", status: "cancelled" });
  expect(world.clock.sleeping).toBe(0);
});

test("a reader that takes longer than a model may be silent is not taken for a silent model", async () => {
  const world = openWorld({ script: [Array.from({ length: 60 }, (_, n) => ({ text: [`${n} `] }))] });
  const events: string[] = [];
  const read = async () => {
    for await (const action of callMainPrompt(prompt, world.ports, new AbortController().signal)) {
      await world.clock.sleep(90_000, new AbortController().signal);
      if (action.type === "response-chunk" && typeof action.chunk !== "string") events.push(action.chunk.type);
    }
  };
  await world.clock.run(read());
  expect(events).toEqual(["start", "finish"]);
  expect(world.model.requests).toHaveLength(1);
});
