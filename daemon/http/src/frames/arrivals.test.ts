import { expect, it } from "vitest";
import { Arrivals } from "./arrivals.ts";

it("gives what comes in the order of its coming, to a reader that waits and to one that comes later", async () => {
  const arrivals = new Arrivals<{ number: number }>();
  const waiting = arrivals.next();
  arrivals.expect(new Promise(() => {}));
  arrivals.expect(Promise.resolve({ number: 1 }));
  arrivals.expect(Promise.resolve({ number: 2 }));
  expect([await waiting, await arrivals.next()]).toEqual([{ number: 1 }, { number: 2 }]);
});

it("throws a failure in its turn and goes on behind it", async () => {
  const arrivals = new Arrivals<{ number: number }>();
  arrivals.expect(Promise.reject(new Error("the log is gone")));
  await expect(arrivals.next()).rejects.toThrow("the log is gone");
  arrivals.expect(Promise.resolve({ number: 3 }));
  expect(await arrivals.next()).toEqual({ number: 3 });
});
