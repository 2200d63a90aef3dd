import type { Settlement } from "@muster/snapshots";
import { expect, it } from "vitest";
import { ChangeWatch } from "./change-watch.ts";

it("a call does not begin while somebody looks: what it does is seen by the next look, as its own", async () => {
  const seen: Settlement[] = [];
  const captures: (() => void)[] = [];
  const watch = new ChangeWatch(async (settlement) => {
    seen.push(settlement);
    await new Promise<void>((resolve) => captures.push(resolve));
  });
  const looking = watch.look();
  await Promise.resolve();
  let hasBegun = false;
  const beginning = watch.begin("edit", ["a.txt"]).then(() => {
    hasBegun = true;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  captures[0]?.();
  await looking;
  await beginning;
  watch.end("edit");
  const next = watch.look();
  await Promise.resolve();
  captures[1]?.();
  await next;
  expect(seen).toEqual([
    { by: "person", edited: [] },
    { by: "person", edited: ["a.txt"] },
  ]);
});
