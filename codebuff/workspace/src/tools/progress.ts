import { cleanOutput, unfinishedEnd } from "@muster/terminal";

/** Nine pieces a second and the last one: never more than ten. */
const intervalMs = 112;
const mostBytes = 64 * 1024;
const marker = "\n[more output than can be shown here; it follows with the result]\n";

/**
 * What a tool says while it works, for somebody who appends it: plain text, spaced out, with an end. A line that a
 * program writes over and over stands there in the states it had when a piece was sent.
 */
export class Progress {
  readonly #emit: (piece: string) => void;
  #pending = "";
  #left = mostBytes - Buffer.byteLength(marker);
  #isFull = false;
  #atLineStart = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (piece: string) => void) {
    this.#emit = emit;
  }

  push(output: string): void {
    if (this.#isFull || output === "") return;
    this.#pending += output;
    // A program that only redraws its line must not fill the memory; one that says more than fits is through now.
    if (this.#pending.length > mostBytes) this.#pending = compact(this.#pending);
    if (this.#timer === undefined || this.#pending.length > mostBytes) this.#send();
  }

  /** The call has ended: the rest is sent, and nothing after it. */
  end(): void {
    this.#send("rest");
    this.drop();
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#isFull = true;
    this.#pending = "";
  }

  #send(how?: "rest"): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const whole = how === "rest" ? this.#pending.length : this.#pending.length - unfinishedLength(this.#pending);
    const piece = this.#clean(this.#pending.slice(0, whole));
    this.#pending = this.#pending.slice(whole);
    if (piece === "" || this.#isFull) return;
    this.#timer = setTimeout(() => this.#send(), intervalMs);
    const bytes = Buffer.byteLength(piece);
    if (bytes <= this.#left) {
      this.#left -= bytes;
      this.#emit(piece);
      return;
    }
    this.#emit(cutTo(piece, this.#left) + marker);
    this.drop();
  }

  /** A piece that begins a line anew cannot erase what was sent before it. */
  #clean(raw: string): string {
    const text = cleanOutput(raw);
    if (text === "") return "";
    const beginsAnew = /^\r(?!\n)/.test(raw) || raw.startsWith("\u001b[2K");
    const piece = beginsAnew && !this.#atLineStart ? `\n${text}` : text;
    this.#atLineStart = piece.endsWith("\n");
    return piece;
  }
}

/** Escape sequences and line ends that are still to be completed, in characters. */
function unfinishedLength(text: string): number {
  const tail = Buffer.from(text.slice(-4096), "utf8");
  const bytes = unfinishedEnd(tail);
  const characters = bytes === 0 ? 0 : tail.subarray(tail.length - bytes).toString("utf8").length;
  return characters === 0 && text.endsWith("\r") ? 1 : characters;
}

function compact(text: string): string {
  const whole = text.length - unfinishedLength(text);
  return cleanOutput(text.slice(0, whole)) + text.slice(whole);
}

function cutTo(text: string, bytes: number): string {
  // A character that is cut in two is left out.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, bytes)), { stream: true });
}
