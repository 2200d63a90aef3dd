import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { startRecording } from "../src/record/record-upstream.ts";
import { startReplay } from "../src/replay.ts";
import type { ScriptInput } from "../src/script/script.ts";
import { startScriptedLlm } from "../src/server.ts";
import { clients } from "./clients.ts";

let folder = "";
const opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recordings-"));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await rm(folder, { recursive: true });
});

function opens<T extends { close(): Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

/** The "real" service of these tests: another server of ours. */
const service: ScriptInput = {
  models: ["m-1"],
  pace: { chars: 3, delayMs: 1 },
  conversations: [
    {
      turns: [
        {
          reasoning: "Hm 🤔",
          text: "Looking…",
          tools: [{ name: "look", input: { at: "ü" } }],
          usage: { input: 9, output: 4 },
        },
        { text: "Seen: the key is secret-000 and sk-live0123456789abcdef.", usage: { input: 12, output: 5 } },
      ],
    },
  ],
};

const tools = { look: tool({ inputSchema: z.object({ at: z.string() }), execute: () => "a thing" }) };

/** A run on all four clients, streamed and not. The hash is over every byte that any of them got. */
async function run(url: string): Promise<{ hash: string; texts: string[] }> {
  const bytes: string[] = [];
  const texts: string[] = [];
  const noting: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    const text = await response.clone().text();
    bytes.push(`${response.status} ${response.headers.get("content-type")} ${text}`);
    return response;
  };
  for (const [name, client] of Object.entries(clients)) {
    const ask = { model: client(url, noting), tools, stopWhen: stepCountIs(3), maxRetries: 0 };
    const streamed = streamText({ ...ask, prompt: `stream over ${name}` });
    await streamed.consumeStream();
    texts.push(await streamed.text, (await generateText({ ...ask, prompt: `whole over ${name}` })).text);
  }
  await noting(`${url}/v1/models`);
  return { hash: createHash("sha256").update(bytes.join("\n")).digest("hex"), texts };
}

describe("A recorded run", () => {
  test.each(["yaml", "json"])("replays with the same hash 50 of 50 times from %s", async (format) => {
    const script = structuredClone(service);
    script.conversations[0]?.turns.splice(1, 1, { text: "Seen: a thing.", usage: { input: 12, output: 5 } });
    const upstream = opens(await startScriptedLlm({ script }));
    const file = join(folder, `run.${format}`);
    const recorder = await startRecording({ upstream: upstream.url, file });
    const recorded = await run(recorder.url);
    await recorder.close();
    expect(recorded.texts).toEqual(Array.from({ length: 8 }, () => "Seen: a thing."));
    expect([recorder.recorded(), recorder.leftOut()]).toEqual([17, 0]);
    await upstream.close();

    const replay = opens(await startReplay({ file }));
    const hashes: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      hashes.push((await run(replay.url)).hash);
      expect(replay.failures()).toEqual([]);
      replay.reset();
    }
    expect(hashes).toEqual(Array.from({ length: 50 }, () => recorded.hash));
  });

  test("holds no key: not those of the headers, nor what looks like one", async () => {
    const upstream = opens(await startScriptedLlm({ script: service }));
    const file = join(folder, "keys.yaml");
    const recorder = opens(await startRecording({ upstream: upstream.url, file }));
    const result = await generateText({
      model: clients["openai chat completions"]?.(recorder.url) as never,
      headers: { authorization: "Bearer secret-000" },
      prompt: "go",
      tools,
      stopWhen: stepCountIs(3),
    });
    expect(result.text).toContain("secret-000");
    await recorder.close();
    const text = await readFile(file, "utf8");
    expect(text).toContain("[redacted] and [redacted].");
    expect(text).not.toMatch(/secret-000|sk-live/);
    expect(upstream.requests()[0]?.headerNames).toContain("authorization");
  });

  test("keeps a refused and a broken reply as they were", async () => {
    const upstream = opens(
      await startScriptedLlm({
        script: {
          conversations: [
            {
              turns: [
                { fault: { kind: "status", status: 429, retryAfter: 5 } },
                { text: "Partial text", fault: { kind: "drop", atByte: 500 } },
                { text: "Fine" },
              ],
            },
          ],
        },
      }),
    );
    const file = join(folder, "broken.yaml");
    const recorder = opens(await startRecording({ upstream: upstream.url, file }));
    const ask = async (url: string) => {
      const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: "x" }] });
      const response = await fetch(`${url}/v1/messages`, { method: "POST", body });
      const chunks: Uint8Array[] = [];
      let isCut = false;
      try {
        for await (const chunk of response.body ?? []) chunks.push(chunk);
      } catch {
        isCut = true;
      }
      return [response.status, response.headers.get("retry-after"), Buffer.concat(chunks).toString(), isCut];
    };
    const seen = [await ask(recorder.url), await ask(recorder.url), await ask(recorder.url)];
    await recorder.close();
    expect(seen.map(([status, retryAfter, , isCut]) => [status, retryAfter, isCut])).toEqual([
      [429, "5", false],
      [200, null, true],
      [200, null, false],
    ]);
    const replay = opens(await startReplay({ file }));
    expect([await ask(replay.url), await ask(replay.url), await ask(replay.url)]).toEqual(seen);
  });

  test("serves an agent whose requests are no longer byte-equal, in the order of the conversation", async () => {
    const upstream = opens(await startScriptedLlm({ script: service }));
    const file = join(folder, "tolerant.yaml");
    const recorder = opens(await startRecording({ upstream: upstream.url, file }));
    const ask = async (url: string, system: string) => {
      const model = clients["anthropic messages"]?.(url) as never;
      return (await generateText({ model, system, prompt: "go", tools, stopWhen: stepCountIs(3), maxRetries: 0 }))
        .steps;
    };
    const before = await ask(recorder.url, "Today is Monday");
    await recorder.close();
    const replay = opens(await startReplay({ file }));
    const after = await ask(replay.url, "Today is Tuesday");
    expect(after.map(({ finishReason }) => finishReason)).toEqual(before.map(({ finishReason }) => finishReason));
    expect(replay.failures()).toEqual([]);
  });

  test("keeps two conversations with the same words apart, each served once", async () => {
    const once = (text: string) => ({ once: true, turns: [{ text }] });
    const upstream = opens(await startScriptedLlm({ script: { conversations: [once("first"), once("second")] } }));
    const file = join(folder, "twice.yaml");
    const recorder = opens(await startRecording({ upstream: upstream.url, file }));
    const ask = async (url: string, system: string) => {
      const model = clients["anthropic messages"]?.(url) as never;
      return (await generateText({ model, system, prompt: "go", maxRetries: 0 })).text;
    };
    expect([await ask(recorder.url, "Monday"), await ask(recorder.url, "Monday")]).toEqual(["first", "second"]);
    await recorder.close();
    const replay = opens(await startReplay({ file }));
    expect([await ask(replay.url, "Tuesday"), await ask(replay.url, "Tuesday")]).toEqual(["first", "second"]);
    await expect(ask(replay.url, "Tuesday")).rejects.toThrow("is taken");
  });

  test("is bounded: what does not fit is passed on and counted", async () => {
    const upstream = opens(
      await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "x".repeat(900) }] }] } }),
    );
    const file = join(folder, "small.yaml");
    const recorder = opens(await startRecording({ upstream: upstream.url, file, mostBytes: 2_000 }));
    for (const content of ["a", "b", "c"]) {
      const body = JSON.stringify({ messages: [{ role: "user", content }] });
      expect((await fetch(`${recorder.url}/v1/messages`, { method: "POST", body })).status).toBe(200);
    }
    expect([recorder.recorded(), recorder.leftOut()]).toEqual([1, 2]);
    const headers = { "content-encoding": "zstd" };
    const odd = await fetch(`${recorder.url}/v1/messages`, { method: "POST", headers, body: "odd" });
    expect([odd.status, recorder.leftOut()]).toEqual([415, 3]);
  });
});

test("A service that cannot be reached is a 502 that says so", async () => {
  const gone = await startScriptedLlm({ script: service });
  await gone.close();
  const recorder = opens(await startRecording({ upstream: gone.url, file: join(folder, "none.yaml") }));
  const response = await fetch(`${recorder.url}/v1/messages`, { method: "POST", body: '{"messages":[]}' });
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining(`could not reach ${gone.url}`) },
  });
});

test("A written script is no recording", async () => {
  const file = new URL("../examples/fix-a-file.yaml", import.meta.url).pathname;
  await expect(startReplay({ file })).rejects.toThrow("holds no recorded turn");
});

describe("A folder of exchanges", () => {
  test.each([
    ["nothing in it", {}, "holds no recorded exchange"],
    ["a file that is no JSON", { "000001.json": "{" }, "000001.json: is no recorded exchange"],
    ["another format", { "000001.json": '{"format":2}' }, "000001.json: is no recorded exchange: format"],
  ])("with %s is refused with the file's name", async (_, files, message) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await expect(startReplay({ file: folder })).rejects.toThrow(message);
  });
});
