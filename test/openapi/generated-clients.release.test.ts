import { afterAll, beforeAll, expect, it } from "vitest";
import { type Home, makeHome, spawnIn } from "../../daemon/client/test/client-world.ts";
import { ifReachable } from "../registry-package.ts";
import { runGeneratedClient } from "./generated-client.ts";
import { generators } from "./generators.ts";

let home: Home;
let daemon: Awaited<ReturnType<typeof spawnIn>>;
beforeAll(async () => {
  home = await makeHome();
  daemon = await spawnIn(home);
});
afterAll(async () => {
  await daemon.close();
  await home.remove();
});

const names = Object.keys(generators) as (keyof typeof generators)[];
it.each(names)(
  "a client that %s makes of the document compiles strictly and calls right",
  { timeout: 300_000 },
  async (name) => {
    const said = await ifReachable(name, runGeneratedClient(generators[name], daemon));
    if (said === undefined) return;
    expect(said).toMatch(/^mock [1-5] session_not_found function\n$/);
  },
);
