import { describe, expect, it } from "vitest";
import { LineEditor } from "./line-editor.ts";

const key = (name: string, more: object = {}) => ["", { name, ...more }] as const;
function type(editor: LineEditor, text: string): void {
  for (const letter of text) editor.press(letter, { name: letter });
}

describe("the line editor", () => {
  it("moves and cuts by letters, words and lines", () => {
    const editor = new LineEditor();
    type(editor, "one two three");
    editor.press(...key("w", { ctrl: true }));
    expect(editor.text).toBe("one two ");
    editor.press(...key("left", { ctrl: true }));
    type(editor, "big ");
    expect(editor.text).toBe("one big two ");
    editor.press(...key("u", { ctrl: true }));
    editor.press(...key("delete"));
    editor.press(...key("end"));
    editor.press(...key("backspace"));
    expect(editor.text).toBe("wo");
  });

  it("goes on in the next line after a backslash, and takes a paste as it is", () => {
    const editor = new LineEditor();
    type(editor, "first\\");
    expect(editor.press("\r", { name: "return" })).toBe("changed");
    type(editor, "second");
    editor.press(...key("paste-start"));
    for (const letter of " a\rb") editor.press(letter, { name: letter === "\r" ? "return" : letter });
    editor.press(...key("paste-end"));
    expect(editor.press("\r", { name: "return" })).toBe("submit");
    expect(editor.take()).toBe("first\nsecond a\nb");
    expect(editor.text).toBe("");
  });

  it("brings back what was written, and then the text that was being written", () => {
    const editor = new LineEditor(["older", "old"]);
    type(editor, "new");
    for (const _ of [1, 2, 3]) editor.press(...key("up"));
    expect(editor.text).toBe("older");
    editor.press(...key("down"));
    expect(editor.text).toBe("old");
    editor.press(...key("down"));
    expect(editor.text).toBe("new");
  });

  it("up and down move between the lines of a text", () => {
    const editor = new LineEditor(["history"]);
    editor.text = "long line\nshort\nlong again";
    editor.press(...key("up"));
    editor.press(...key("up"));
    type(editor, "X");
    expect(editor.text).toBe("long Xline\nshort\nlong again");
    editor.press(...key("down"));
    type(editor, "Y");
    expect(editor.text).toBe("long Xline\nshortY\nlong again");
  });

  it("lays its rows out behind the prompt and knows where the cursor is", () => {
    const editor = new LineEditor();
    editor.text = "abcdef\n日本";
    expect(editor.layout("› ", 6)).toEqual({
      lines: ["› abc", "  def", "  日", "  本"],
      cursor: { row: 3, column: 4 },
    });
    expect(new LineEditor().layout("› ", 6)).toEqual({ lines: ["› "], cursor: { row: 0, column: 2 } });
  });
});
