/** Terminal output as plain text: escape sequences gone, progress lines in their last state, only LF at line ends. */
export function cleanOutput(raw: string): string {
  const text = raw
    .replace(escapeSequence, (sequence) => (eraseLine.test(sequence) ? "\r" : ""))
    .replace(/\r+\n/g, "\n");
  return (text.includes("\r") || text.includes("\b") ? text.split("\n").map(lastState).join("\n") : text).replace(
    otherControls,
    "",
  );
}

/**
 * How many bytes at the end of `bytes` are the beginning of an escape sequence or a character still to come.
 * A sequence longer than 4 KiB is no sequence: holding it back would hide output.
 */
export function unfinishedEnd(bytes: Buffer): number {
  const start = bytes.lastIndexOf(0x1b);
  if (start !== -1 && bytes.length - start <= 4096) {
    const sequence = bytes.subarray(start).toString("latin1");
    if (unfinishedSequence.test(sequence)) return bytes.length - start;
  }
  return unfinishedCharacter(bytes);
}

/** How many bytes at the start of `bytes` belong to a character whose beginning is lost. */
export function lostStart(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && isContinuation(bytes[count])) count++;
  return count;
}

// Written from strings: the linter takes a control character inside a regular expression for a mistake.
const ESC = "\\x1b";
const BEL = "\\x07";
/** In order: OSC; DCS, SOS, PM and APC; CSI, also cut off at the end; sequences of two or three bytes; a lone ESC. */
const escapeSequence = new RegExp(
  `${ESC}(?:\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[PX^_][^${ESC}]*${ESC}\\\\|\\[[0-?]*[ -/]*(?:[@-~]|$)|[ -/]*[0-~]|)`,
  "g",
);
const eraseLine = new RegExp(`^${ESC}\\[2K$`);
/** All but line feed and tab. */
const otherControls = /[^\P{Cc}\n\t]/gu;
const unfinishedSequence = new RegExp(`^${ESC}(?:\\[[0-?]*[ -/]*|\\][^${BEL}]*|[PX^_][^${ESC}]*|[ -/]*)$`);

/** A carriage return starts the line over, a backspace takes back one character. */
function lastState(line: string): string {
  const states = line.split("\r").filter((state) => state !== "");
  const last = states.at(-1) ?? "";
  if (!last.includes("\b")) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === "\b") shown.pop();
    else shown.push(character);
  }
  return shown.join("");
}

function unfinishedCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
