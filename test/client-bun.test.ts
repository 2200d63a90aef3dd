import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CuttingProxy } from "@muster/conformance";
import { expect, it, onTestFinished } from "vitest";
import { makeHome, spawnIn } from "../daemon/client/test/client-world.ts";
import { bunProgram } from "./bun.ts";

const bun = await bunProgram();
if ("reason" in bun) process.stderr.write(`skipped: ${bun.reason}\n`);

it.skipIf("reason" in bun)("the client runs in bun: a permission, a cut connection, a problem", async () => {
  if ("reason" in bun) return;
  const home = await makeHome();
  onTestFinished(() => home.remove());
  const daemon = await spawnIn(home);
  onTestFinished(() => daemon.close());
  const proxy = await CuttingProxy.start(Number(new URL(daemon.endpoint).port));
  onTestFinished(() => proxy.close());
  proxy.cutAfter(...Array.from({ length: 8 }, () => ({ bytes: 4_000 })));
  const program = fileURLToPath(new URL("./programs/bun-client.mjs", import.meta.url));
  const args = [program, proxy.url, daemon.token, home.directory];
  const { stdout } = await promisify(execFile)(bun.program, args, { env: home.env });
  expect(JSON.parse(stdout)).toEqual({ allowed: "I was allowed to: ls", lost: 0, code: "session_not_found" });
  expect(proxy.cuts).toBe(8);
});
