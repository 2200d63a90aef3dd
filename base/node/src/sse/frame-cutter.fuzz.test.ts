import { cutAnywhere, hostileBytes, InputWatch, isLong, random } from "@muster/chaos";
import { expect, it } from "vitest";
import { dataOf, FrameCutter, framesOf } from "./frame-cutter.ts";

const inputs = isLong ? 1_000_000 : 10_000;
const words = ["data: ", "data:", "id: 1", "event: x", ": comment", '{"usage":', "[DONE]", "\n\n", "\r\r", "\r\n\r\n"];

it("frames are handed on byte for byte, and mean the same wherever the bytes are cut", { timeout: 1_800_000 }, () => {
  const next = random();
  const watch = new InputWatch("bytes for the cutter of server-sent events");
  for (let n = 0; n < inputs; n++) {
    const bytes = hostileBytes(next, { words });
    const begun = performance.now();
    const whole = pass([bytes]);
    const cut = pass(cutAnywhere(bytes, next));
    if (!cut.bytes.equals(bytes) || !whole.bytes.equals(bytes)) expect.fail(`input ${n} is not what came out`);
    if (cut.data.join("\u0001") !== whole.data.join("\u0001")) expect(cut.data, `input ${n}`).toEqual(whole.data);
    watch.read(performance.now() - begun, () => bytes.toString("hex"));
  }
  watch.tell();
});

it("a frame that comes byte by byte is read in one go: looking at all of it for each byte would never end", () => {
  const cutter = new FrameCutter();
  const one = Buffer.from("x");
  for (let n = 0; n < 1_000_000; n++) cutter.push(one);
  expect(cutter.push(Buffer.from("\n\n")).length).toBe(1_000_002);
});

function pass(slices: readonly Buffer[]): { bytes: Buffer; data: string[] } {
  const cutter = new FrameCutter();
  const out = [...slices.map((slice) => cutter.push(slice)), cutter.rest()];
  const data = out.flatMap((slice) => [...framesOf(slice)].map((frame) => dataOf(frame) ?? ""));
  return { bytes: Buffer.concat(out), data: data.filter((text) => text !== "") };
}
