import { cutAnywhere, hostileBytes, InputWatch, isLong, random } from "@muster/chaos";
import { expect, it } from "vitest";
import { type Line, LineSplitter } from "./line-splitter.ts";

const inputs = isLong ? 1_000_000 : 10_000;
const words = ['{"type":"x"}', '{"a":', "}", '"', "[[[[", "\\u0000", " "];

it("lines are the same wherever the bytes are cut, and none is longer than allowed", { timeout: 1_800_000 }, () => {
  const next = random();
  const watch = new InputWatch("bytes for the reader of lines");
  for (let n = 0; n < inputs; n++) {
    const bytes = hostileBytes(next, { words });
    const begun = performance.now();
    const options = { lineBytes: 400, headBytes: 16 };
    const whole = linesOf(options, [bytes]);
    const cut = linesOf(options, cutAnywhere(bytes, next));
    if (JSON.stringify(cut) !== JSON.stringify(whole)) expect(cut, `input ${n}`).toEqual(whole);
    if (whole.some((line) => textOf(line).length > 400)) expect.fail(`a line of input ${n} is too long`);
    watch.read(performance.now() - begun, () => bytes.toString("hex"));
  }
  watch.tell();
});

function linesOf(options: ConstructorParameters<typeof LineSplitter>[0], slices: readonly Buffer[]): Line[] {
  const splitter = new LineSplitter(options);
  return [...slices.flatMap((slice) => splitter.push(slice)), ...splitter.end()];
}

function textOf(line: Line): string {
  return typeof line === "string" ? line : line.head;
}
