import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { GroupSync } from "./group-sync.ts";

/** A sync that lasts until the test ends it. */
function gate() {
  const opens: (() => void)[] = [];
  let calls = 0;
  const sync = () =>
    new Promise<void>((resolve) => {
      calls++;
      opens.push(resolve);
    });
  return { sync, open: () => opens.shift()?.(), calls: () => calls };
}

test("requests made while a sync runs share the next one", async () => {
  const group = new GroupSync();
  const file = gate();
  const member = group.join(file.sync);
  const first = member.now();
  const later = [member.now(), member.now(), member.now()];
  expect(file.calls()).toBe(1);
  file.open();
  await first;
  await setImmediate();
  expect(file.calls()).toBe(2);
  file.open();
  await Promise.all(later);
  expect(file.calls()).toBe(2);
  await group.close();
});

test("no more than two syncs run at once, and all are served in the order they asked", async () => {
  const group = new GroupSync();
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const requests = Array.from({ length: 20 }, (_, n) => {
    const sync = async () => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      order.push(n);
    };
    return group.join(sync).now();
  });
  await Promise.all(requests);
  expect(most).toBe(2);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  await group.close();
});

test("what was written is synced after a while without being asked", async () => {
  const group = new GroupSync({ maxAgeMs: 5 });
  await new Promise<void>((resolve) => {
    group.join(async () => resolve()).touch();
  });
  await group.close();
});

test("closing syncs what is still dirty and refuses what comes after", async () => {
  const group = new GroupSync({ maxAgeMs: 1_000_000 });
  let synced = 0;
  const sync = async () => {
    synced++;
  };
  const members = Array.from({ length: 5 }, () => group.join(sync));
  for (const member of members) member.touch();
  members[0]?.leave();
  await group.close();
  expect(synced).toBe(4);
  await expect(members[1]?.now()).rejects.toThrow("closed");
});

test("a failing sync is told to those who wait, and the others go on", async () => {
  const group = new GroupSync({ maxInFlight: 1 });
  const broken = group.join(() => Promise.reject(new Error("EIO")));
  const healthy = group.join(async () => {});
  const failing = broken.now();
  const working = healthy.now();
  await expect(failing).rejects.toThrow("EIO");
  await working;
  await group.close();
});
