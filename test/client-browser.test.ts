import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { CuttingProxy } from "@muster/conformance";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SandboxDaemon } from "../daemon/client/src/index.ts";
import { type Home, makeHome, spawnIn } from "../daemon/client/test/client-world.ts";
import { startBrowser } from "./browser.ts";

/** What the page has: the client and where the daemon is. */
declare global {
  var muster: { SandboxDaemon: typeof SandboxDaemon };
}

const browser = await startBrowser();
const isThere = !("reason" in browser);
if (!isThere) process.stderr.write(`skipped: ${browser.reason}\n`);

let home: Home;
let daemon: Awaited<ReturnType<typeof spawnIn>>;
let proxy: CuttingProxy;
let tickets = 0;
const entry = fileURLToPath(new URL("../daemon/client/dist/index.js", import.meta.url));

/** The page's own server: it has the token and gives the page tickets. */
const server = createServer(async (request, response) => {
  if (request.url === "/client.js") {
    const bundled = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "muster",
    });
    response.setHeader("content-type", "text/javascript").end(bundled.outputFiles[0]?.text);
  } else if (request.url === "/ticket") {
    tickets++;
    response.end((await daemon.client.tickets.create()).ticket);
  } else response.setHeader("content-type", "text/html").end('<!doctype html><script src="/client.js"></script>');
});
let origin = "";
beforeAll(async () => {
  if (!isThere) return;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  home = await makeHome();
  daemon = await spawnIn(home, undefined, ["--cors-origin", origin]);
  proxy = await CuttingProxy.start(Number(new URL(daemon.endpoint).port));
});
afterAll(async () => {
  if (!isThere) return;
  await browser.close();
  server.close();
  await proxy.close();
  await daemon.close();
  await home.remove();
});

test.runIf(isThere)("a page without the token follows a session by tickets, over cuts", async () => {
  if (!isThere) return;
  const session = daemon.session("watched", { agent: "mock", directory: home.directory });
  await session.ask("echo hello");
  await session.ask("burst 300");
  const { lastSequence } = await daemon.client.sessions.get({ sessionId: "watched" });
  const page = await browser.newPage();
  await page.goto(origin);
  proxy.cutAfter({ frames: 10 }, { frames: 100 }, { bytes: 3_000 });
  const read = await page.evaluate(
    async ({ endpoint, last }) => {
      const ticket = async () => (await fetch("/ticket")).text();
      const reconnect = { firstDelayMs: 1, maxDelayMs: 100 };
      const watching = globalThis.muster.SandboxDaemon.connect({ endpoint, ticket, reconnect });
      const seen: number[] = [];
      for await (const { sequence } of watching.session("watched").events()) {
        seen.push(sequence);
        if (sequence === last) break;
      }
      const refused = await watching
        .session("watched")
        .ask("echo no")
        .catch((error: { code: string }) => error.code);
      return { seen, refused };
    },
    { endpoint: proxy.url, last: lastSequence },
  );
  expect(read.seen).toEqual(Array.from({ length: lastSequence }, (_, index) => index + 1));
  expect(read.refused).toBe("unauthorized");
  expect(proxy.cuts).toBe(3);
  expect(tickets).toBe(4);
});

test.runIf(isThere)("a page with the token talks to an agent and answers it", async () => {
  if (!isThere) return;
  const page = await browser.newPage();
  await page.goto(origin);
  const said = await page.evaluate(
    async ({ endpoint, token, directory }) => {
      const own = globalThis.muster.SandboxDaemon.connect({ endpoint, token });
      const session = own.session("page", { agent: "mock", directory });
      session.onPermission(() => "once");
      const types: string[] = [];
      for await (const { type } of session.prompt("permission ls")) types.push(type);
      const text = await session.ask("echo done");
      await own.close();
      return { last: types.at(-1), text };
    },
    { endpoint: daemon.endpoint, token: daemon.token, directory: home.directory },
  );
  expect(said).toEqual({ last: "turn.ended", text: "done" });
});
