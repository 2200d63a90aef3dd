import { type Find, findOf, type Motion, motionOf, objectOf } from "./motions.ts";
import { before, firstLetter, lineEnd, lineStart, next, onLetter } from "./places.ts";

/** A text and the place of the cursor in it. */
export interface Buffer {
  readonly text: string;
  readonly at: number;
}

type Operator = "d" | "c" | "y";

/** The keys of vim for a prompt: normal and insert mode, counts, operators with motions and objects, one register, undo and `.` */
export class Vim {
  mode: "insert" | "normal" = "insert";
  #count = "";
  #operator: Operator | undefined;
  /** Keys that wait for one more: `g`, `f`, `r`, `i` after an operator. */
  #waiting = "";
  #register: { readonly text: string; readonly isLines: boolean } = { text: "", isLines: false };
  #find: Find | undefined;
  #undo: Buffer[] = [];
  #redo: Buffer[] = [];
  /** Keys of the command that is being typed, and of the last one that changed something. */
  #typed: string[] = [];
  #lastChange: { readonly keys: readonly string[]; inserted: string } | undefined;
  /** Where writing began, for `.` */
  #began: Buffer | undefined;

  /** Escape in insert mode. */
  leaveInsert(buffer: Buffer): Buffer {
    if (this.#began !== undefined && this.#lastChange !== undefined)
      this.#lastChange.inserted = insertedBetween(this.#began, buffer);
    this.#began = undefined;
    this.mode = "normal";
    this.#forget();
    const { text, at } = buffer;
    return { text, at: onLetter(text, at > lineStart(text, at) ? before(text, at) : at) };
  }

  /** A new prompt begins. */
  reset(): void {
    this.mode = "insert";
    this.#undo = [];
    this.#redo = [];
    this.#began = undefined;
    this.#forget();
  }

  /** A key in normal mode; undefined when vim has no use for it. */
  press(key: string, buffer: Buffer): Buffer | undefined {
    this.#typed.push(key);
    const done = this.#press(key, buffer);
    if (done === "waits") return buffer;
    const keys = this.#typed;
    this.#forget();
    if (done === undefined) return undefined;
    if (done.text !== buffer.text || this.mode === "insert") {
      if (key !== "u" && key !== "\u0012" && key !== ".") {
        this.#undo.push(buffer);
        this.#redo = [];
        this.#lastChange = { keys, inserted: "" };
      }
    }
    if (this.mode === "insert") {
      this.#began = done;
      return done;
    }
    return { text: done.text, at: onLetter(done.text, Math.min(done.at, done.text.length)) };
  }

  redo(buffer: Buffer): Buffer {
    const again = this.#redo.pop();
    if (again === undefined) return buffer;
    this.#undo.push(buffer);
    return again;
  }

  #press(key: string, buffer: Buffer): Buffer | "waits" | undefined {
    const { text, at } = buffer;
    if (this.#waiting !== "") return this.#withWaiting(key, buffer);
    if (/^[1-9]$/.test(key) || (key === "0" && this.#count !== "")) {
      this.#count += key;
      return "waits";
    }
    if (/^[gfFtTr]$/.test(key) || (this.#operator !== undefined && /^[ia]$/.test(key))) {
      this.#waiting = key;
      return "waits";
    }
    if (this.#operator !== undefined && key === this.#operator) return this.#lines(this.#operator, buffer);
    const find = key === ";" ? this.#find : key === "," ? reversed(this.#find) : undefined;
    const motion =
      find === undefined
        ? motionOf(key, text, at, this.#times)
        : findOf(find, text, at, { count: this.#times ?? 1, isAgain: true });
    if (motion !== undefined) return this.#move(motion, key, buffer);
    if (this.#operator !== undefined) return buffer;
    if (/^[dcy]$/.test(key)) {
      this.#operator = key as Operator;
      return "waits";
    }
    return this.#command(key, buffer);
  }

  #withWaiting(key: string, buffer: Buffer): Buffer | undefined {
    const { text, at } = buffer;
    const times = this.#times ?? 1;
    const waiting = this.#waiting;
    if (waiting === "r") {
      const end = Math.min(lineEnd(text, at), at + times);
      if (key < " " || end === at) return buffer;
      return { text: text.slice(0, at) + key.repeat(end - at) + text.slice(end), at: end - 1 };
    }
    if (waiting === "g") {
      const motion = key === "g" ? motionOf("gg", text, at, this.#times) : undefined;
      return motion === undefined ? buffer : this.#move(motion, "gg", buffer);
    }
    if (waiting === "i" || waiting === "a") {
      const motion = objectOf(waiting === "a", key, text, at);
      return motion === undefined ? buffer : this.#move(motion, key, buffer);
    }
    this.#find = { kind: waiting as Find["kind"], letter: key };
    const motion = findOf(this.#find, text, at, { count: times });
    return motion === undefined ? buffer : this.#move(motion, waiting, buffer);
  }

  get #times(): number | undefined {
    return this.#count === "" ? undefined : Math.min(Number(this.#count), 9999);
  }

  /** Without an operator the cursor goes there; with one that stretch is deleted, changed or copied. */
  #move(motion: Motion, key: string, buffer: Buffer): Buffer {
    const { text, at } = buffer;
    if (this.#operator === undefined) return { text, at: motion.to };
    if (motion.isLines === true) {
      const [from, to] = [Math.min(at, motion.to), Math.max(at, motion.to)];
      return this.#take(this.#operator, lineStart(text, from), lineEnd(text, to), true, text);
    }
    // As vim does: `cw` changes the word and leaves the blank behind it, and `dw` of the last word leaves the line break.
    const isWord = key === "w" || key === "W";
    if (isWord && motion.from === undefined && this.#operator === "c" && /\S/.test(text[at] ?? "")) {
      const end = motionOf(key === "w" ? "e" : "E", text, at === 0 ? 0 : at, this.#times)?.to ?? at;
      const own = isSingle(text, at, key) ? at : end;
      return this.#take("c", at, next(text, own), false, text);
    }
    const from = motion.from ?? Math.min(at, motion.to);
    let to = motion.from === undefined ? Math.max(at, motion.to) : motion.to;
    if (motion.isInclusive === true && lineEnd(text, to) !== to) to = next(text, to);
    if (isWord && motion.from === undefined) to = Math.min(to, Math.max(lineEnd(text, at), at));
    return this.#take(this.#operator, from, to, false, text);
  }

  /** `dd`, `cc`, `yy` and as many lines as were counted. */
  #lines(operator: Operator, { text, at }: Buffer): Buffer {
    let end = lineEnd(text, at);
    for (let left = (this.#times ?? 1) - 1; left > 0 && end < text.length; left--) end = lineEnd(text, end + 1);
    const taken = this.#take(operator, lineStart(text, at), end, true, text);
    return operator === "y" ? { text, at } : taken;
  }

  #take(operator: Operator, from: number, to: number, isLines: boolean, text: string): Buffer {
    this.#register = { text: text.slice(from, to), isLines };
    if (operator === "y") return { text, at: from };
    if (operator === "c") {
      this.mode = "insert";
      return { text: text.slice(0, from) + text.slice(to), at: from };
    }
    if (!isLines) return { text: text.slice(0, from) + text.slice(to), at: from };
    // With the line break behind the lines, or before them when they are the last.
    const hasAfter = to < text.length;
    const left = hasAfter ? text.slice(0, from) + text.slice(to + 1) : text.slice(0, Math.max(0, from - 1));
    return { text: left, at: firstLetter(left, Math.min(from, left.length)) };
  }

  #command(key: string, buffer: Buffer): Buffer | undefined {
    const { text, at } = buffer;
    const insert = (place: number, added = "") => {
      this.mode = "insert";
      return {
        text: text.slice(0, place) + added + text.slice(place),
        at: place + (added === "\n" && key === "O" ? 0 : added.length),
      };
    };
    switch (key) {
      case "i":
        return insert(at);
      case "a":
        return insert(Math.min(lineEnd(text, at), next(text, at)));
      case "I":
        return insert(firstLetter(text, at));
      case "A":
        return insert(lineEnd(text, at));
      case "o":
        return insert(lineEnd(text, at), "\n");
      case "O":
        return insert(lineStart(text, at), "\n");
      case "x":
      case "X":
      case "s":
        return this.#letters(key, buffer);
      case "D":
      case "C":
        return this.#take(key === "D" ? "d" : "c", at, lineEnd(text, at), false, text);
      case "S":
        return this.#lines("c", buffer);
      case "Y":
        return this.#lines("y", buffer);
      case "p":
      case "P":
        return this.#put(key === "P", buffer);
      case "~":
        return swapCase(buffer, this.#times ?? 1);
      case "J":
        return joinLine(buffer);
      case "u":
        return this.#undoOnce(buffer);
      case ".":
        return this.#repeat(buffer);
      case "\u007f":
        return { text, at: Math.max(0, before(text, at)) };
      default:
        return undefined;
    }
  }

  #letters(key: "x" | "X" | "s", { text, at }: Buffer): Buffer {
    const motion = motionOf(key === "X" ? "h" : "l", text, at, this.#times)?.to ?? at;
    const [from, to] = [Math.min(at, motion), Math.max(at, motion)];
    return this.#take(key === "s" ? "c" : "d", from, to, false, text);
  }

  #put(isBefore: boolean, { text, at }: Buffer): Buffer {
    const { text: kept, isLines } = this.#register;
    const times = this.#times ?? 1;
    if (isLines) {
      const lines = Array.from({ length: times }, () => kept).join("\n");
      if (isBefore) {
        const start = lineStart(text, at);
        return { text: `${text.slice(0, start)}${lines}\n${text.slice(start)}`, at: start };
      }
      const end = lineEnd(text, at);
      return { text: `${text.slice(0, end)}\n${lines}${text.slice(end)}`, at: end + 1 };
    }
    const added = kept.repeat(times);
    const place = isBefore ? at : Math.min(lineEnd(text, at), next(text, at));
    return { text: text.slice(0, place) + added + text.slice(place), at: Math.max(place, place + added.length - 1) };
  }

  #undoOnce(buffer: Buffer): Buffer {
    const last = this.#undo.pop();
    if (last === undefined) return buffer;
    this.#redo.push(buffer);
    return last;
  }

  /** `.`: the keys of the last change once more, and what was written with it. */
  #repeat(buffer: Buffer): Buffer {
    const last = this.#lastChange;
    if (last === undefined) return buffer;
    this.#undo.push(buffer);
    this.#forget();
    let now = buffer;
    for (const key of last.keys) {
      const done = this.#press(key, now);
      if (done !== "waits" && done !== undefined) now = done;
    }
    this.#forget();
    if (this.mode !== "insert") return now;
    this.mode = "normal";
    const { text, at } = now;
    const end = at + last.inserted.length;
    return { text: text.slice(0, at) + last.inserted + text.slice(at), at: Math.max(at, end - 1) };
  }

  #forget(): void {
    this.#count = "";
    this.#operator = undefined;
    this.#waiting = "";
    this.#typed = [];
  }
}

/** A word of one letter: `e` would lead to the end of the next. */
function isSingle(text: string, at: number, key: string): boolean {
  const [from, to] = [at, objectOf(false, key, text, at)?.to ?? at];
  return next(text, from) >= to;
}

function reversed(find: Find | undefined): Find | undefined {
  const kinds = { f: "F", F: "f", t: "T", T: "t" } as const;
  return find === undefined ? undefined : { ...find, kind: kinds[find.kind] };
}

/** What was written between two looks, where nothing else has changed. */
function insertedBetween(began: Buffer, now: Buffer): string {
  const head = began.text.slice(0, began.at);
  const tail = began.text.slice(began.at);
  const fits = now.text.length >= began.text.length && now.text.startsWith(head) && now.text.endsWith(tail);
  return fits ? now.text.slice(head.length, now.text.length - tail.length) : "";
}

function swapCase({ text, at }: Buffer, times: number): Buffer {
  const end = Math.min(lineEnd(text, at), at + times);
  const swapped = [...text.slice(at, end)].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return { text: text.slice(0, at) + swapped.join("") + text.slice(end), at: end };
}

function joinLine({ text, at }: Buffer): Buffer {
  const end = lineEnd(text, at);
  if (end === text.length) return { text, at };
  const rest = text.slice(end + 1).replace(/^[^\S\n]+/, "");
  return { text: `${text.slice(0, end)} ${rest}`, at: end };
}
