import { expect, test } from "vitest";
import { OutputQueue } from "./output-queue.ts";

function makeQueue() {
  const flow: string[] = [];
  const queue = new OutputQueue<number>(
    { pause: () => flow.push("pause"), resume: () => flow.push("resume") },
    { high: 10, low: 4 },
  );
  return { flow, queue };
}

test("the writer is paused once at the high mark and resumed once at the low mark", async () => {
  const { flow, queue } = makeQueue();
  for (const batch of [1, 2, 3, 4]) queue.push(batch, 4);
  expect(flow).toEqual(["pause"]);
  const reader = queue[Symbol.asyncIterator]();
  const read = [await reader.next(), await reader.next()];
  expect(flow).toEqual(["pause"]);
  read.push(await reader.next());
  expect(flow).toEqual(["pause", "resume"]);
  expect(read.map(({ value }) => value)).toEqual([1, 2, 3]);
});

test("a reader that waits gets the next batch without the queue growing", async () => {
  const { flow, queue } = makeQueue();
  const next = queue[Symbol.asyncIterator]().next();
  queue.push(1, 100);
  expect(await next).toEqual({ done: false, value: 1 });
  expect(flow).toEqual([]);
});

test("what was pushed before the end is read before it", async () => {
  const { queue } = makeQueue();
  queue.push(1, 1);
  queue.push(2, 1);
  queue.end();
  const read: number[] = [];
  for await (const batch of queue) read.push(batch);
  expect(read).toEqual([1, 2]);
});

test("a reader that leaves does not stop the writer", async () => {
  const { flow, queue } = makeQueue();
  queue.push(1, 20);
  for await (const _ of queue) break;
  queue.push(2, 20);
  queue.push(3, 20);
  expect(flow).toEqual(["pause", "resume"]);
});

test("there is one reader", () => {
  const { queue } = makeQueue();
  queue[Symbol.asyncIterator]();
  expect(() => queue[Symbol.asyncIterator]()).toThrow("read once");
});
