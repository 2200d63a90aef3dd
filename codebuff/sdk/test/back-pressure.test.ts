import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { httpService } from "./http-service.ts";
import { runWorld } from "./run-world.ts";

const pieces = 400;

/** A model on a real port that counts the pieces, of 65 kB each, that it got rid of: it writes as long as somebody reads. */
async function talkativeModel(): Promise<{ url: string; written: () => number; rests: () => Promise<void> }> {
  let written = 0;
  const frame = (data: { type: string } & Record<string, unknown>) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const { url } = await httpService(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const left = new AbortController();
    response.once("close", () => left.abort());
    const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
    const usage = { input_tokens: 1, output_tokens: 1 };
    response.write(frame({ type: "message_start", message: { ...message, usage } }));
    response.write(frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }));
    const delta = { type: "text_delta", text: "word ".repeat(13_000) };
    for (; written < pieces && !response.destroyed; written++) {
      if (response.write(frame({ type: "content_block_delta", index: 0, delta }))) continue;
      await once(response, "drain", { signal: left.signal }).catch(() => undefined);
    }
    response.write(frame({ type: "content_block_stop", index: 0 }));
    response.write(frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }));
    response.end(frame({ type: "message_stop" }));
  });
  return {
    url,
    written: () => written,
    async rests() {
      let before = -1;
      await vi.waitFor(
        () => {
          const isStill = written === before;
          before = written;
          expect(isStill).toBe(true);
        },
        { timeout: 20_000, interval: 300 },
      );
    },
  };
}

describe("whoever reads slowly slows the model down", () => {
  it("an iterable that is not read on", async () => {
    const model = await talkativeModel();
    const world = await runWorld([{ text: "unused" }], { env: { ANTHROPIC_BASE_URL: model.url } });
    const events = world.client.stream({ agent: "tester", prompt: "go" });
    for (let taken = 0; taken < 10; taken++) await events.next();
    await model.rests();
    // What the sockets and the parsers between hold is some megabytes, of twenty-six.
    expect(model.written()).toBeLessThan(pieces / 2);
    const before = model.written();
    for (let taken = 0; taken < pieces / 2; taken++) await events.next();
    expect(model.written()).toBeGreaterThan(before);
    await events.return({ output: { type: "error", message: "enough" } });
  });

  it("a callback that takes its time; the abort does not wait for it", async () => {
    const model = await talkativeModel();
    const abort = new AbortController();
    let chunks = 0;
    const world = await runWorld([{ text: "unused" }], {
      env: { ANTHROPIC_BASE_URL: model.url },
      options: { handleStreamChunk: () => (++chunks < 10 ? undefined : new Promise(() => undefined)) },
    });
    const running = world.run({ signal: abort.signal });
    await model.rests();
    expect([chunks, model.written() < pieces / 2]).toEqual([10, true]);
    abort.abort();
    expect((await running).output).toMatchObject({ type: "error", error: "cancelled" });
  });
});
