import { expect, it } from "vitest";
import { afterFirstStart } from "./first-start.ts";

it("one starts alone in a home, the others then at once, and one that fails is not the first", async () => {
  const told: string[] = [];
  let running = 0;
  const start = (name: string, result: Promise<void>) => () => {
    told.push(`${name} with ${running++} others`);
    return result.finally(() => running--);
  };
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const all = Promise.allSettled([
    afterFirstStart("/home", start("broken", Promise.reject(new Error("no disk")))),
    afterFirstStart("/home", start("first", new Promise((resolve) => setImmediate(resolve)))),
    afterFirstStart("/home", start("second", held)),
    afterFirstStart(
      "/home",
      start(
        "third",
        held.then(() => undefined),
      ),
    ),
    afterFirstStart("/elsewhere", start("elsewhere", Promise.resolve())),
  ]);
  setTimeout(release, 50);
  expect((await all).map(({ status }) => status)).toEqual(["rejected", ...Array(4).fill("fulfilled")]);
  expect(told.filter((line) => !line.startsWith("elsewhere"))).toEqual([
    "broken with 0 others",
    expect.stringMatching(/^first with [01] others$/),
    "second with 0 others",
    "third with 1 others",
  ]);
});
