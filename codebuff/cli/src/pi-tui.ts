import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";

/*
 * The parts of pi-tui that we use, by their paths in the version our package.json pins: its own door would load its
 * renderer too, which keeps every line and clears the person's scrollback.
 */
export type { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
export { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";
export { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
export { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";

/** The cursor of its editor, which has no door for it; the version is pinned, and a test moves the cursor by it. */
export function placeCursor(editor: Editor, line: number, column: number): void {
  const { state } = editor as unknown as { state: { cursorLine: number; cursorCol: number } };
  state.cursorLine = line;
  state.cursorCol = column;
}

const unstyled = (text: string) => text;
const listTheme = {
  selectedPrefix: unstyled,
  selectedText: unstyled,
  description: unstyled,
  scrollInfo: unstyled,
  noMatch: unstyled,
};

/** Its editor of text, without colours of its own. */
export function newEditor(rows: () => number): Editor {
  // All the editor uses of its host: how high the terminal is, and somebody to tell that it changed.
  const host = {
    requestRender: () => undefined,
    terminal: {
      get rows() {
        return rows();
      },
    },
  } as unknown as TUI;
  const editor = new Editor(host, { borderColor: unstyled, selectList: listTheme });
  editor.focused = true;
  return editor;
}
