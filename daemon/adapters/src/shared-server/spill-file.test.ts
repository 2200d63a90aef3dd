import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeDirectory } from "../../test/host.ts";
import { SpillFile } from "./spill-file.ts";

test("lines come back in order and the file has no name", () => {
  const directory = makeDirectory();
  const spill = new SpillFile(directory, "spill");
  expect(readdirSync(directory)).toEqual([]);
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} \u2028 ü`);
  spill.append(lines.slice(0, 30_000));
  const read = spill.take();
  expect(read.length).toBeLessThan(30_000);
  spill.append(lines.slice(30_000));
  while (!spill.empty) read.push(...spill.take());
  expect(read).toEqual(lines);
  spill.append(["again"]);
  expect(spill.take()).toEqual(["again"]);
  expect(spill.take()).toEqual([]);
  spill.close();
});
