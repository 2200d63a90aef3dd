import { random, seed } from "@muster/chaos";
import { expect, it } from "vitest";
import { cellsOf, freshTerminal, write } from "../../test/terminal-cells.ts";
import { Emulator } from "./emulator.ts";

const size = { columns: 40, rows: 10 };

/** What programs do to a terminal, and what shows afterwards that it was carried. */
const states: Readonly<Record<string, { state: string; probe: string }>> = {
  "scroll region": { state: "\x1b[3;6r\x1b[4;1Hin", probe: "\r\n1\r\n2\r\n3\r\n4\r\n5" },
  "origin mode": { state: "\x1b[3;6r\x1b[?6h", probe: "\x1b[1;1Htop\x1b[99;1Hend" },
  "saved cursor": { state: "\x1b[5;7H\x1b[1;31m\x1b7\x1b[0m\x1b[H", probe: "\x1b8saved" },
  "saved cursor with line drawing": { state: "\x1b(0\x1b[2;2H\x1b7\x1b(B\x1b[H", probe: "plain\x1b8qqq" },
  "line drawing": { state: "\x1b(0lqqk", probe: "mqqj" },
  "line drawing as the second set": { state: "\x1b)0\x0elqk", probe: "mqj\x0fmqj" },
  "tab stops": { state: "\x1b[3g\x1b[5G\x1bH\x1b[11G\x1bH\r", probe: "\ta\tb\tc" },
  "sequence cut in half": { state: "text\x1b[3", probe: "1mred" },
  "title cut in half": { state: "text\x1b]0;a ti", probe: "tle\x07more" },
  "character cut in half": { state: "a\xe2\x94", probe: "\x80b" },
  "synchronized output": { state: "\x1b[?2026hpart", probe: "more\x1b[?2026l" },
  "alternate screen with an open colour": { state: "before\x1b[41;1m\x1b[?1049hinside", probe: "on\x1b[?1049lback" },
  "alternate screen of 47": { state: "one\x1b[?47htwo", probe: "three\x1b[?47lfour" },
  "pending wrap": { state: `\x1b[4;1H${"x".repeat(40)}`, probe: "y" },
  "pending wrap with a wide character": { state: `\x1b[4;1H${"x".repeat(38)}字`, probe: "y" },
  "no wrap": { state: `\x1b[?7l${"z".repeat(50)}`, probe: "end" },
  "insert mode": { state: "abc\x1b[H\x1b[4h", probe: "new" },
  "application keys": { state: "\x1b[?1h\x1b=", probe: "\x1b[?1$p" },
  "bracketed paste": { state: "\x1b[?2004h", probe: "\x1b[?2004$p" },
  mouse: { state: "\x1b[?1002h\x1b[?1006h", probe: "\x1b[?1002$p\x1b[?1006$p" },
  focus: { state: "\x1b[?1004h", probe: "\x1b[?1004$p" },
  "hidden cursor": { state: "\x1b[?25l", probe: "\x1b[?25$p" },
  "cursor shape": { state: "\x1b[5 q", probe: "\x1bP$q q\x1b\\" },
  "reversed and kinds of underline": { state: "\x1b[7mA\x1b[27;4:3mB\x1b[4:2mC", probe: "D" },
  "bold that becomes dim": { state: "\x1b[1mA\x1b[22;2mB\x1b[1mC\x1b[0mD", probe: "E" },
  "true colour and palette": { state: "\x1b[38;2;1;2;3;48;5;200mA\x1b[97;104mB", probe: "C" },
  "erased with a colour": { state: "\x1b[44m\x1b[2J\x1b[3;3Hx\x1b[K", probe: "y\r\n\x1b[K" },
  "combined and wide characters": { state: "e\u0301 字 👩‍🚀", probe: "x" },
  "wrapped lines": { state: "long ".repeat(30), probe: "end" },
};

for (const [name, { state, probe }] of Object.entries(states)) {
  it(`a snapshot carries ${name}`, async () => {
    await expectSame([bytesOf(state)], bytesOf(probe));
  });
}

it("a terminal restored from a snapshot at any byte goes on cell by cell like the one it was taken of", async () => {
  const next = random(seed);
  // Not the sets of characters: what is shown after a restored cursor may be none of the designated ones. Not the mode
  // without wrapping: there xterm overwrites half of a wide character and keeps the other (6.0.0). Not combining
  // characters: the first behind a snapshot stands alone. Not lines that wrap at the end of a scroll region, and not
  // kinds of underline: xterm keeps them when it restores a cursor that was saved without.
  const left = ["\x1b(0", "\x1b)0", "\x1b[?7l", "e\u0301", "long ", "4:3"];
  const mixed = Object.values(states).filter(({ state }) => !left.some((part) => state.includes(part)));
  const pieces = mixed.flatMap(({ state, probe }) => [state, probe]);
  const others = [
    "\r\n",
    "\x1b[H",
    "\x1b[2J",
    "\x1b[0m",
    "\x1b[r",
    "\x1b[?6l",
    "\x1bc",
    "\x1b[5;3H",
    "\x1bM",
    "\x1bD",
    "\x1b[2L",
  ];
  for (let round = 0; round < 150; round++) {
    const parts = Array.from({ length: 30 }, () => {
      const from = next() < 0.6 ? pieces : others;
      return bytesOf(from[Math.floor(next() * from.length)] ?? "");
    });
    const all = Buffer.concat(parts);
    const cut = Math.floor(next() * all.length);
    const before: Buffer[] = [];
    // In pieces as a pipe gives them: none of them knows where a sequence begins.
    for (let at = 0; at < cut; ) {
      const end = Math.min(cut, at + 1 + Math.floor(next() * 20));
      before.push(all.subarray(at, end));
      at = end;
    }
    await expectSame(
      before,
      all.subarray(cut),
      `round ${round}, cut at ${cut} of ${JSON.stringify(all.toString("latin1"))}`,
    );
  }
});

/** What goes on behind a snapshot is what goes on behind all the bytes themselves: every cell, and every answer. */
async function expectSame(before: readonly Buffer[], probe: Buffer, note?: string): Promise<void> {
  const emulator = await Emulator.make({ size, scrollback: 100, answer: () => {} }, undefined);
  const reference = freshTerminal(size);
  for (const bytes of before) {
    await emulator.write(bytes);
    await write(reference.terminal, bytes);
  }
  const { text } = await emulator.snapshot();
  const restored = freshTerminal(size);
  await write(restored.terminal, text);
  expect(cellsOf(restored.terminal), note).toEqual(cellsOf(reference.terminal));
  for (const { answers } of [reference, restored]) answers.length = 0;
  await write(reference.terminal, probe);
  await write(restored.terminal, probe);
  expect(cellsOf(restored.terminal), note).toEqual(cellsOf(reference.terminal));
  expect(restored.answers, note).toEqual(reference.answers);
  emulator.dispose();
}

/** Most texts are what they are; those of cut characters name their bytes. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, /\xe2|\x80/.test(text) ? "latin1" : "utf8");
}
