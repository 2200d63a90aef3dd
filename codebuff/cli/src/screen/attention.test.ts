import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Attention } from "./attention.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const written: string[] = [];
  return { attention: new Attention((text) => written.push(text)), written };
}
const call = "\u001b]9;Ready\u0007\u001b]777;notify;codebuff;Ready\u0007\u0007";

it("calls at once whoever looks elsewhere, and nobody who looks", () => {
  const { attention, written } = watched();
  attention.focus(true);
  attention.want("Ready");
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([]);
  attention.focus(false);
  attention.want("Ready");
  expect(written).toEqual([call]);
});

it("waits ten seconds where the terminal never tells about its focus, and a key ends that", () => {
  const { attention, written } = watched();
  attention.want("Ready");
  vi.advanceTimersByTime(9_999);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual([call]);
  attention.want("Ready");
  attention.seen();
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(1);
});

it("gives the title of before back, and lets no sequence through in its own", () => {
  const { attention, written } = watched();
  attention.setTitle("codebuff · a\u0007\u001b]0;b");
  attention.close();
  expect(written).toEqual(["\u001b[22;0t", "\u001b]0;codebuff · a  ]0,b\u0007", "\u001b[23;0t"]);
});
