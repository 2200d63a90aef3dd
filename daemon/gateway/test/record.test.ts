import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startReplay, startScriptedLlm } from "@muster/scripted-llm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ask, jsonPieces, type Kit, startKit } from "./kit.ts";
import { messagesStream, type ProtocolName, protocolNames, protocols, startUpstream } from "./upstream.ts";

let kit: Kit;
let records: string;
const opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  records = await mkdtemp(join(tmpdir(), "records-"));
  kit = await startKit({ recordDirectory: records, redact: (text) => text.replaceAll("hunter2", "[known]") });
  kit.sessions.add("s1");
  kit.sessions.add("Other");
});
afterEach(async () => {
  await kit.close();
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await rm(records, { recursive: true });
});

const real = "sk-ant-api03-abcdefghijklmnop";

async function say(url: string, key: string, protocol: ProtocolName, words: string, model = "m") {
  const { path, auth } = protocols[protocol];
  const inputs: Record<ProtocolName, object> = {
    messages: { messages: [{ role: "user", content: words }] },
    responses: { input: words },
    chat: { messages: [{ role: "user", content: words }] },
    gemini: { contents: [{ role: "user", parts: [{ text: words }] }] },
  };
  const pieces = jsonPieces({ ...protocols[protocol].body, model, ...inputs[protocol] });
  const { status, body, isCut } = await ask(`${url}${path}`, { headers: auth(key), pieces });
  return { status, body: String(body), isCut };
}

it("a recorded session is served again by scripted-llm, byte for byte, in every protocol", async () => {
  const script = {
    conversations: [
      { match: { firstUser: "tools" }, turns: [{ text: "Looking…", tools: [{ name: "look", input: { at: "ü" } }] }] },
      {
        match: { firstUser: "broken" },
        turns: [{ text: "Partial text", fault: { kind: "drop" as const, atByte: 300 } }],
      },
      { match: { firstUser: "busy" }, turns: [{ fault: { kind: "status" as const, status: 429, retryAfter: 5 } }] },
      { turns: [{ text: "Hello" }, { text: "Again" }] },
    ],
  };
  const model = await startScriptedLlm({ script });
  opened.push(model);
  kit.gateway.setRecording("s1", true);
  const run = async (urlFor: (provider: string) => { url: string; key: string }) => {
    const seen = [];
    for (const protocol of protocolNames) {
      const { url, key } = urlFor(protocols[protocol].provider);
      for (const words of ["tools", "broken", "busy", `hello by ${protocol}`])
        seen.push(await say(url, key, protocol, words));
    }
    return seen;
  };
  const through = await run((provider) => {
    const { baseUrl, token } = kit.access({ provider, own: { baseUrl: model.url, token: real } });
    return { url: baseUrl, key: token };
  });
  expect(through.map(({ status, isCut }) => [status, isCut]).slice(0, 4)).toEqual([
    [200, false],
    [200, true],
    [429, false],
    [200, false],
  ]);
  await kit.gateway.close();
  const replay = await startReplay({ file: join(records, "s1") });
  opened.push(replay);
  expect(await run(() => ({ url: replay.url, key: "none" }))).toEqual(through);
  expect(replay.failures()).toEqual([]);
});

it("no key and no placeholder stands in a record, and only its owner may read it", async () => {
  const answer = messagesStream({ texts: [`your key is ${real}, the password hunter2`] });
  const provider = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "a=b", "content-encoding": "gzip" });
    response.end(gzipSync(answer));
  });
  opened.push(provider);
  const { baseUrl, token } = kit.access({
    holder: { sessionId: "Other" },
    own: { baseUrl: provider.url, token: real },
  });
  await say(baseUrl, token, "messages", "not recorded");
  kit.gateway.setRecording("Other", true);
  const got = await ask(`${baseUrl}/v1/messages?note=${token}`, {
    headers: { "x-api-key": token, "x-claude-code-session-id": "native" },
    pieces: jsonPieces({ model: "m", messages: [{ role: "user", content: `${token} and ${real}` }] }),
  });
  expect(got.status).toBe(200);
  kit.gateway.setRecording("Other", false);
  await say(baseUrl, token, "messages", "not recorded either");
  await kit.gateway.close();
  const [folder = ""] = await readdir(records);
  expect(folder).toMatch(/^other-[0-9a-f]{8}$/);
  expect(await readdir(join(records, folder))).toEqual(["000001.json"]);
  const file = join(records, folder, "000001.json");
  const text = await readFile(file, "utf8");
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/abcdefghijklmnop|hunter2|set-cookie|x-api-key/);
  expect(JSON.parse(text)).toMatchObject({
    path: "/v1/messages?note=[redacted]",
    headers: { "x-claude-code-session-id": "native" },
    reply: { status: 200, body: expect.stringContaining("your key is [redacted], the password [known]"), cut: false },
  });
  expect([(await stat(file)).mode & 0o777, (await stat(join(records, folder))).mode & 0o777]).toEqual([0o600, 0o700]);
});

it("the requests of a session are shown with what they cost", async () => {
  const provider = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(messagesStream());
  });
  opened.push(provider);
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: real } });
  await say(baseUrl, token, "messages", "hi", "claude-sonnet-4-5");
  await kit.sessions.until("settled", 1);
  expect(kit.gateway.requests("s1")).toMatchObject([
    {
      model: "claude-sonnet-4-5",
      protocol: "messages",
      at: expect.any(Number),
      settled: { status: 200, spent: { listNanoUsd: 3_750_000 } },
    },
  ]);
  expect(kit.gateway.requests("none")).toEqual([]);
});
