import { expect, it } from "vitest";
import { sortVersions } from "./sort-versions.ts";

it("orders versions by their numbers, and a pre-release before its release", async () => {
  const inOrder = [
    "downloads",
    "0.0.1768018268-gcd18ba",
    "0.0.1790142911-g7618fb",
    "1.2.0-rc.1",
    "1.2.0",
    "1.9.0",
    "1.10.0",
    "2.0",
    "2.0.1",
  ];
  expect(await sortVersions([...inOrder].reverse())).toEqual(inOrder);
});
