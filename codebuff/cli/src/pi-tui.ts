/**
 * The parts of pi-tui that we use, by their paths in the version our package.json pins: its own door would load its
 * renderer too, which keeps every line and clears the person's scrollback.
 */
export { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
export { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";
export { CURSOR_MARKER, type TUI } from "@earendil-works/pi-tui/dist/tui.js";
export { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
