import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CallTimeout, ConnectionFailure, createClient, SandboxDaemon } from "../src/index.ts";

/** A port that takes connections and never says a word. */
let server: Server;
let endpoint = "";
const open = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  server.close();
  await once(server, "close");
});

it("a call to a silent port ends with CallTimeout, by the client's limit or by its own", async () => {
  const client = createClient({ endpoint, timeoutMs: 50 });
  const failure = await client.sessions.list().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallTimeout);
  expect(failure).toBeInstanceOf(ConnectionFailure);
  expect(failure).toMatchObject({ name: "CallTimeout", message: expect.stringContaining("no answer within 50 ms") });
  const patient = createClient({ endpoint });
  await expect(patient.sessions.list({}, { timeoutMs: 20 })).rejects.toBeInstanceOf(CallTimeout);
  await expect(patient.sessions.list({}, { timeoutMs: 20, retry: true })).rejects.toBeInstanceOf(CallTimeout);
});

it("a prompt to a silent port ends, too, and so does a stream without its first byte", async () => {
  const daemon = SandboxDaemon.connect({ endpoint, timeoutMs: 50, silenceMs: 50, reconnect: { attempts: 0 } });
  await expect(daemon.session({ agent: "mock" }).ask("hello")).rejects.toBeInstanceOf(CallTimeout);
  const reading = (async () => {
    for await (const _ of daemon.session("s1").events());
  })();
  await expect(reading).rejects.toThrow(/nothing came for 50 ms/);
});

it("an abort stays what the caller gave", async () => {
  const client = createClient({ endpoint });
  const reason = new Error("no longer wanted");
  await expect(client.health({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const late = new AbortController();
  const call = client.health({}, { signal: late.signal });
  late.abort(reason);
  await expect(call).rejects.toBe(reason);
});
