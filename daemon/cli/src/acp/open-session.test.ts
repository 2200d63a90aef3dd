import { createServer } from "node:net";
import { PassThrough } from "node:stream";
import { createClient } from "@muster/client";
import { expect, onTestFinished, test } from "vitest";
import { startDaemonProcess, temporaryFolder } from "../../test/daemon-process.ts";
import { JsonRpcPeer } from "./json-rpc.ts";
import { OpenSession } from "./open-session.ts";

test("a prompt is answered after the daemon was away for longer than a reader waits", async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const args = ["--port", `${await freePort()}`, "--no-token", "--data-dir", `${folder.path}/data`];
  const start = () => startDaemonProcess(args, { HOME: folder.path });
  const before = await start();
  const client = createClient({ endpoint: before.url, reconnect: { attempts: 0 } });
  const { session } = await client.sessions.create({ agent: "mock", directory: folder.path });
  const { sessionId } = session;
  const output = new PassThrough();
  output.resume();
  const peer = new JsonRpcPeer({ input: new PassThrough(), output, handlers: {} });
  const editor = new AbortController();
  const person = { peer, capabilities: {}, sessionId };
  const open = new OpenSession({ client, person, after: session.lastSequence, signal: editor.signal });
  expect(await open.prompt({ message: "echo before" })).toBe("end_turn");
  const interrupted = expect(open.prompt({ message: "slow 60000" })).rejects.toThrow();
  // Killed: a daemon that is asked to stop tells how its turns end.
  before.child.kill("SIGKILL");
  await before.exit;
  await interrupted;

  const after = await start();
  onTestFinished(async () => void (await after.stop()));
  expect(await open.prompt({ message: "echo after" })).toBe("end_turn");
  editor.abort();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
