import { indexOutsideCdata } from "./text.ts";

/** A call as it stood in the text; `inner` is what is between its tags. */
export interface XmlCall {
  readonly name: string;
  readonly inner: string;
}

/**
 * `unclosed` is a call whose closing tag never came. `misplaced` is an opening tag in the middle of a line: it was text,
 * and then generation stopped at the closing tag.
 */
export type XmlPiece =
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "call" } & XmlCall)
  | ({ readonly type: "unclosed" } & XmlCall)
  | { readonly type: "misplaced"; readonly name: string };

/**
 * Takes calls out of a growing text: one element per tool, beginning at the beginning of a line or right after another
 * call. Chunks may end anywhere. Unknown elements are text, and so is a call inside a call.
 */
export class XmlCallReader {
  readonly #names: ReadonlySet<string>;
  /** What has come and is not given out yet: at most a tag that may still become one, or the inside of the open call. */
  #pending = "";
  #open: string | undefined;
  /** How far the inside of the open call was looked through, so that long contents are read once. */
  #scanned = 0;
  #isLineStart = true;
  /** The last opening tag that was taken for text. */
  #mentioned: string | undefined;
  readonly #lastCalls: ReadonlySet<string>;
  #read = 0;
  #cutAt: number | undefined;

  /** After a call of `lastCalls` nothing more is read: what a model writes behind it, it wrote without the result. */
  constructor(names: Iterable<string>, lastCalls: Iterable<string> = []) {
    this.#names = new Set(names);
    this.#lastCalls = new Set(lastCalls);
  }

  /** How many characters were read when the last call was closed; undefined before. */
  get cutAt(): number | undefined {
    return this.#cutAt;
  }

  push(chunk: string): XmlPiece[] {
    if (this.#cutAt !== undefined) return [];
    this.#pending += chunk;
    const pieces: XmlPiece[] = [];
    while (this.#open === undefined ? this.#readText(pieces) : this.#readCall(pieces));
    return joinTexts(pieces);
  }

  /** The name of the call whose closing tag is still to come. */
  get open(): string | undefined {
    return this.#open;
  }

  /** `stopped`: generation ended at a stop sequence, which providers cut off; it was the open call's closing tag. */
  end(ending: { stopped: boolean }): XmlPiece[] {
    const rest = this.#pending;
    const name = this.#open;
    this.#pending = "";
    this.#open = undefined;
    if (name !== undefined) return [{ type: ending.stopped ? "call" : "unclosed", name, inner: rest }];
    const pieces: XmlPiece[] = rest === "" ? [] : [{ type: "text", text: rest }];
    if (ending.stopped && this.#mentioned !== undefined) pieces.push({ type: "misplaced", name: this.#mentioned });
    return pieces;
  }

  /** True while there may be more to read in what has come. */
  #readText(pieces: XmlPiece[]): boolean {
    const at = this.#pending.indexOf("<");
    if (at !== 0) {
      if (this.#pending === "") return false;
      this.#emit(at === -1 ? this.#pending.length : at, pieces);
      return true;
    }
    const tag = /^<(\w+)[ \t]*(\/?)>/.exec(this.#pending);
    const name = tag?.[1];
    if (tag === null || name === undefined || !this.#names.has(name)) {
      if (this.#mayBecomeTag()) return false;
      this.#emit(1, pieces);
      return true;
    }
    if (!this.#isLineStart) {
      this.#mentioned = name;
      this.#emit(tag[0].length, pieces);
      return true;
    }
    this.#take(tag[0].length);
    if (tag[2] === "/") this.#emitCall(name, "", pieces);
    else {
      this.#open = name;
      this.#scanned = 0;
    }
    return true;
  }

  #readCall(pieces: XmlPiece[]): boolean {
    const name = this.#open ?? "";
    const closing = closingTag(name);
    const { at, scanned } = indexOutsideCdata(this.#pending, closing, this.#scanned);
    this.#scanned = scanned;
    if (at === -1) return false;
    const inner = this.#take(at);
    this.#take(closing.length);
    this.#open = undefined;
    this.#isLineStart = true;
    this.#emitCall(name, inner, pieces);
    return true;
  }

  #emitCall(name: string, inner: string, pieces: XmlPiece[]): void {
    pieces.push({ type: "call", name, inner });
    if (!this.#lastCalls.has(name)) return;
    this.#cutAt = this.#read;
    this.#pending = "";
  }

  #take(length: number): string {
    const text = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    this.#read += length;
    return text;
  }

  #emit(length: number, pieces: XmlPiece[]): void {
    const text = this.#take(length);
    const line = text.slice(text.lastIndexOf("\n") + 1);
    this.#isLineStart = line.trim() === "" && (this.#isLineStart || text.includes("\n"));
    pieces.push({ type: "text", text });
  }

  #mayBecomeTag(): boolean {
    const started = /^<(\w*)[ \t]*\/?$/.exec(this.#pending)?.[1];
    if (started === undefined || this.#pending.length > 100) return false;
    for (const name of this.#names) if (name.startsWith(started)) return true;
    return false;
  }
}

export function closingTag(name: string): string {
  return `</${name}>`;
}

/** A whole text at once: what a person is shown of it, and the calls. */
export function readXmlCalls(text: string, names: Iterable<string>): { shown: string; calls: XmlCall[] } {
  const reader = new XmlCallReader(names);
  const pieces = [...reader.push(text), ...reader.end({ stopped: false })];
  const shown = pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : []));
  const calls = pieces.flatMap((piece) => (piece.type === "call" ? [{ name: piece.name, inner: piece.inner }] : []));
  return { shown: shown.join(""), calls };
}

function joinTexts(pieces: readonly XmlPiece[]): XmlPiece[] {
  const joined: XmlPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === "text" && last?.type === "text")
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
