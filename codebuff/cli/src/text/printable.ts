// A model's words and a tool's output reach a person's terminal: no escape sequence or cursor move of theirs may.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// Joiners (U+200C, U+200D) stay: emoji of several people and many scripts are written with them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replace(escapes, "").replace(controls, "");
}

/** The text on one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = printable(text.replace(/\s+/g, " ")).trim();
  if (line.length <= width) return line;
  // Never half a character.
  return `${line.slice(0, Math.max(0, width - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
