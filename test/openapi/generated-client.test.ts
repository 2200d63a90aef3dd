import { afterAll, beforeAll, expect, it } from "vitest";
import { type Home, makeHome, spawnIn } from "../../daemon/client/test/client-world.ts";
import { ifReachable } from "../registry-package.ts";
import { runGeneratedClient } from "./generated-client.ts";
import { generators } from "./generators.ts";

/** One of the five; the others are in generated-clients.release.test.ts. */
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

it("a client that openapi-typescript makes of the document compiles strictly and calls right", {
  timeout: 120_000,
}, async ({ skip }) => {
  const said = await ifReachable("openapi-typescript", runGeneratedClient(generators["openapi-typescript"], daemon));
  if (said === undefined) skip();
  expect(said).toBe("mock 1 session_not_found function\n");
});
