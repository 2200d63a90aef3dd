import { describe, expect, it } from "vitest";
import { type Frame, type ReadFrames, readFrames } from "./read-frames.ts";

const text = [
  "\uFEFF: connected\n\n",
  'id: 1\ndata: {"text":"grüße 🌍"}\n\n',
  ": 1\n\n",
  "id:2\r\nevent: note\r\ndata:first\r\ndata: second\r\ndata\r\n\r\n",
  "id: 3\rdata:  two spaces\r\r",
  "id: 4\n\n",
  "id: 5\0\nretry: 10\nunknown: x\ndata: no id\n\n",
  "id: s1:6\ndata: last\n\n",
  "id: 7\ndata: cut off\n",
].join("");

const frames: Frame[] = [
  { id: "1", data: '{"text":"grüße 🌍"}' },
  { id: "2", event: "note", data: "first\nsecond\n" },
  { id: "3", data: " two spaces" },
  { data: "no id" },
  { id: "s1:6", data: "last" },
];

describe("readFrames", () => {
  it("gives the same frames wherever the chunks are cut", async () => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await framesOf([bytes.slice(0, cut), bytes.slice(cut)]), `cut at ${cut}`).toEqual(frames);
    }
  });

  it("gives the same frames for chunks of every size", async () => {
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= 16; size++) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
      expect(await framesOf(chunks), `chunks of ${size}`).toEqual(frames);
    }
  });

  it("asks for the next chunk only when the frames of the last one are taken", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new TextEncoder().encode("data: a\n\ndata: b\n\n"));
        },
      },
      { highWaterMark: 0 },
    );
    const reading = readFrames(body, { silenceMs: 10_000 });
    await reading.next();
    await reading.next();
    expect(pulled).toBe(1);
    await reading.next();
    expect(pulled).toBe(2);
    await reading.return(undefined);
  });

  it("cancels the body when the reader leaves", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\n")),
      cancel() {
        cancelled = true;
      },
    });
    for await (const frame of readFrames(body, { silenceMs: 10_000 })) {
      expect(frame).toEqual({ data: "a" });
      break;
    }
    expect(cancelled).toBe(true);
  });

  it("keeps only the beginning of data that is too long, and goes on with the next frame", async () => {
    const long = "x".repeat(300_000);
    const bytes = new TextEncoder().encode(`id: 1\ndata: ${long}\n\ndata: a\ndata: ${long}\n\ndata: b\n\n`);
    for (const size of [1_000, 70_000, bytes.length]) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
      const [first, second, third, ...more] = await framesOf(chunks, { mostChars: 200_000 });
      expect(first?.id).toBe("1");
      for (const frame of [first, second]) {
        expect(frame?.data.length).toBeLessThanOrEqual(64 * 1024);
        expect(frame?.oversizedChars).toBeGreaterThan(299_990);
      }
      expect([third, more]).toEqual([{ data: "b" }, []]);
    }
  });

  it("fails when the body breaks", async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("reset")) });
    await expect(readFrames(broken).next()).rejects.toThrow("reset");
  });

  it("fails when nothing arrives for too long", async () => {
    const silent = new ReadableStream<Uint8Array>();
    await expect(readFrames(silent, { silenceMs: 20 }).next()).rejects.toThrow("nothing arrived for 20 ms");
  });
});

async function framesOf(chunks: Uint8Array[], options: ReadFrames = { silenceMs: 10_000 }): Promise<Frame[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const found: Frame[] = [];
  for await (const frame of readFrames(body, options)) found.push(frame);
  return found;
}
