import { describe, expect, it } from "vitest";
import { type Buffer, Vim } from "./vim.ts";

/** Texts with `|` where the cursor stands. */
const read = (shown: string): Buffer => ({ text: shown.replace("|", ""), at: shown.indexOf("|") });
const show = ({ text, at }: Buffer) => `${text.slice(0, at)}|${text.slice(at)}`;

/** Types keys: in insert mode they write, `<esc>` and `<c-r>` are keys of their own. */
function type(vim: Vim, keys: string, from: Buffer): Buffer {
  let now = from;
  for (const key of keys.match(/<[\w-]+>|[\s\S]/gu) ?? []) {
    if (vim.mode === "insert") {
      now =
        key === "<esc>"
          ? vim.leaveInsert(now)
          : { text: now.text.slice(0, now.at) + key + now.text.slice(now.at), at: now.at + key.length };
    } else if (key === "<c-r>") now = vim.redo(now);
    else now = vim.press(key, now) ?? now;
  }
  return now;
}

function after(start: string, keys: string): string {
  const vim = new Vim();
  vim.mode = "normal";
  return show(type(vim, keys, read(start)));
}

describe("motions", () => {
  it.each([
    ["|one two", "w", "one |two"],
    ["|one.two x", "w", "one|.two x"],
    ["|one.two x", "W", "one.two |x"],
    ["one |two", "b", "|one two"],
    ["|one two", "e", "on|e two"],
    ["|one two", "2e", "one tw|o"],
    ["one |two", "0", "|one two"],
    ["  one t|wo", "^", "  |one two"],
    ["|one two", "$", "one tw|o"],
    ["|one two", "l5h", "|one two"],
    ["on|e\ntwo", "j", "one\ntw|o"],
    ["one\ntwo\n|x", "gg", "|one\ntwo\nx"],
    ["|one\ntwo\nx", "G", "one\ntwo\n|x"],
    ["|one\ntwo\nx", "2G", "one\n|two\nx"],
    ["|a,b,c", "f,", "a|,b,c"],
    ["|a,b,c", "f,;", "a,b|,c"],
    ["|a,b,c", "2f,,", "a|,b,c"],
    ["|axb", "tb", "a|xb"],
    ["|a,b,c", "t,;", "a,|b,c"],
    ["a,b|c", "F,", "a|,bc"],
    ["|ä🙂x", "ll", "ä🙂|x"],
  ])("%j by %s leads to %j", (start, keys, end) => {
    expect(after(start, keys)).toBe(end);
  });
});

describe("changes", () => {
  it.each([
    ["|one two", "dw", "|two"],
    ["one |two\nx", "dw", "one| \nx"],
    ["|one two", "cwnew<esc>", "ne|w two"],
    ["|a two", "cwnew<esc>", "ne|w two"],
    ["|one two three", "d2w", "|three"],
    ["one |two", "D", "one| "],
    ["o|ne\ntwo\nx", "dd", "|two\nx"],
    ["one\n|two", "dd", "|one"],
    ["|one\ntwo\nx", "2dd", "|x"],
    ["|one\ntwo\nx", "dj", "|x"],
    ["o|ne\ntwo", "ccnew<esc>", "ne|w\ntwo"],
    ["|one", "x", "|ne"],
    ["|one", "9x", "|"],
    ["on|e", "X", "o|e"],
    ["|one", "sX<esc>", "|Xne"],
    ["|one", "rX", "|Xne"],
    ["|one", "~", "O|ne"],
    ["|one\n  two", "J", "one| two"],
    ["|one", "A!<esc>", "one|!"],
    ["one|", "I!<esc>", "|!one"],
    ["|one", "otwo<esc>", "one\ntw|o"],
    ["|one", "Otwo<esc>", "tw|o\none"],
    ["|one\ntwo", "yyjp", "one\ntwo\n|one"],
    ["|one\ntwo", "yyP", "|one\none\ntwo"],
    ["|one two", "ywwP", "one one| two"],
    ["|ab", "xp", "b|a"],
    ['say "he|llo" now', 'ci"bye<esc>', 'say "by|e" now'],
    ["f(a, |b)", "di(", "f(|)"],
    ["f(a, |b)", "da(", "|f"],
    ["one t|wo three", "daw", "one |three"],
    ["one t|wo three", "ciwX<esc>", "one |X three"],
    ["|a,b,c", "dt,", "|,b,c"],
    ["|a,b,c", "df,", "|b,c"],
  ])("%j by %s makes %j", (start, keys, end) => {
    expect(after(start, keys)).toBe(end);
  });
});

describe("undo and repeat", () => {
  it.each([
    ["|one two", "dwu", "|one two"],
    ["|one two", "dwu<c-r>", "|two"],
    ["|one", "Atwo<esc>u", "|one"],
    ["|a b c d", "dw..", "|d"],
    ["|a b c", "cwX<esc>w.", "X |X c"],
    ["|one\ntwo", "A!<esc>j.", "one!\ntwo|!"],
    ["|a b c", "dw.uu", "|a b c"],
  ])("%j by %s gives %j", (start, keys, end) => {
    expect(after(start, keys)).toBe(end);
  });
});

it("keys it has no use for change nothing, whatever stands there", () => {
  const keys = [
    "z",
    "Q",
    "d",
    "z",
    "g",
    "z",
    "c",
    "f",
    "ä",
    "y",
    "i",
    "q",
    "9",
    "0",
    "x",
    "p",
    "P",
    "u",
    ".",
    "J",
    "e",
  ];
  for (const start of ["|", "|\n", "a|", "|🙂", "one\n|\ntwo"]) {
    const vim = new Vim();
    vim.mode = "normal";
    let now = read(start);
    let seed = 7;
    for (let round = 0; round < 400; round++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const key = keys[seed % keys.length] ?? "x";
      now = isWriting(vim) ? vim.leaveInsert(now) : (vim.press(key, now) ?? now);
      expect(now.at).toBeGreaterThanOrEqual(0);
      expect(now.at).toBeLessThanOrEqual(now.text.length);
      if (now.text.length > 2000) now = { text: "x", at: 0 };
    }
  }
});

const isWriting = ({ mode }: Vim) => mode === "insert";
