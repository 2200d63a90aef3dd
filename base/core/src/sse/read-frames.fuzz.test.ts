import { cutAnywhere, hostileBytes, InputWatch, isLong, random } from "@muster/chaos";
import { expect, it } from "vitest";
import { type Frame, readFrames } from "./read-frames.ts";

const inputs = isLong ? 1_000_000 : 10_000;
const words = ["data: ", "data:", "id: 1", "id: \0", "event: x", ": comment", '{"a":1}', "\n\n", "\r\r", "\r\n\r\n"];

it("frames are the same wherever the bytes are cut, and none keeps more than allowed", {
  timeout: 1_800_000,
}, async () => {
  const next = random();
  const watch = new InputWatch("bytes for the reader of server-sent events");
  for (let n = 0; n < inputs; n++) {
    const bytes = hostileBytes(next, { words });
    const begun = performance.now();
    const whole = await framesIn([bytes]);
    const cut = await framesIn(cutAnywhere(bytes, next));
    if (JSON.stringify(cut) !== JSON.stringify(whole)) expect(cut, `input ${n}`).toEqual(whole);
    watch.read(performance.now() - begun, () => bytes.toString("hex"));
  }
  watch.tell();
});

async function framesIn(slices: readonly Buffer[]): Promise<Frame[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const slice of slices) controller.enqueue(slice);
      controller.close();
    },
  });
  const frames: Frame[] = [];
  for await (const frame of readFrames(body)) frames.push(frame);
  return frames;
}
