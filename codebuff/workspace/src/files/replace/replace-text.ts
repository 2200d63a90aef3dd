import type { Replacement } from "@muster/codebuff-protocol";
import { dominantEnding, toLf, withEnding } from "../text/line-endings.ts";
import { nearestText } from "../text/nearest-text.ts";
import { type Unnumbered, withoutPastedNumbers } from "../text/pasted-numbers.ts";
import { replaceLoosely } from "./replace-loosely.ts";

export interface ReplacedText {
  readonly text: string;
  readonly matchedBy?: "indentation" | "whitespace";
  readonly failures: readonly { readonly index: number; readonly message: string }[];
}

/** Makes the replacements one after the other; one that cannot be made surely is left out and explained. */
export function replaceText(text: string, replacements: readonly Replacement[]): ReplacedText {
  const failures: { index: number; message: string }[] = [];
  let matchedBy: ReplacedText["matchedBy"];
  let current = text;
  replacements.forEach((replacement, index) => {
    const outcome = replaceOnce(current, replacement);
    if ("failure" in outcome) failures.push({ index, message: outcome.failure });
    else {
      current = outcome.text;
      matchedBy = outcome.matchedBy ?? matchedBy;
    }
  });
  return matchedBy === undefined ? { text: current, failures } : { text: current, matchedBy, failures };
}

type Outcome = { text: string; matchedBy?: "indentation" | "whitespace" } | { failure: string };

function replaceOnce(text: string, replacement: Replacement): Outcome {
  const searched = toLf(replacement.old);
  const fresh = toLf(replacement.new);
  if (searched === "") return { failure: "The old text is empty" };
  if (searched === fresh) return { failure: "The old and the new text are the same" };
  const view = new LfView(text);
  const places = occurrences(view.text, searched);
  if (places.length > 1 && !replacement.allowMultiple) {
    const lines = places.slice(0, 10).map((place) => view.text.slice(0, place).split("\n").length);
    return {
      failure: `The old text occurs ${places.length} times (lines ${lines.join(", ")}); add lines around it or set allowMultiple`,
    };
  }
  if (places.length > 0) return { text: view.replace(places, searched.length, fresh) };
  const plain = withoutPastedNumbers(searched);
  if (plain !== undefined) return replaceNumbered(text, plain, fresh, replacement);
  const loose = replaceLoosely(view.text, searched, fresh);
  if ("edit" in loose) {
    const { start, end, fresh: adapted } = loose.edit;
    return { text: view.replace([start], end - start, adapted), matchedBy: loose.matchedBy };
  }
  return { failure: notFound(text, replacement.old, loose.reason) };
}

/** The numbers also say which of several places is meant; text that stands elsewhere now is found without them. */
function replaceNumbered(text: string, old: Unnumbered, fresh: string, replacement: Replacement): Outcome {
  const unnumbered = { ...replacement, old: old.text, new: withoutPastedNumbers(fresh)?.text ?? fresh };
  if (old.text === "" || old.text === unnumbered.new) return { failure: "The old and the new text are the same" };
  const view = new LfView(text);
  const start = view.text.split("\n", old.first - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const stands =
    old.first >= 1 &&
    view.text.startsWith(old.text, start) &&
    /^(?:\n|$)/.test(view.text.slice(start + old.text.replace(/\n$/, "").length));
  if (stands && !replacement.allowMultiple) return { text: view.replace([start], old.text.length, unnumbered.new) };
  return replaceOnce(text, unnumbered);
}

function notFound(text: string, searched: string, reason: string | undefined): string {
  const nearest = nearestText(text, searched);
  const because = reason === undefined ? "" : ` (${reason})`;
  const hint = nearest === undefined ? "Nothing in the file looks like it" : `The nearest text is:\n${nearest}`;
  return `The old text was not found${because}. ${hint}`;
}

function occurrences(text: string, piece: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) places.push(at);
  return places;
}

/** A text seen with LF endings, edited with the endings it has. */
class LfView {
  readonly text: string;
  readonly #original: string;
  /** Offsets in the LF text before which a carriage return was taken away. */
  readonly #removed: number[] = [];

  constructor(original: string) {
    this.#original = original;
    this.text = toLf(original);
    for (let at = original.indexOf("\r\n"); at >= 0; at = original.indexOf("\r\n", at + 2)) {
      this.#removed.push(at - this.#removed.length);
    }
  }

  replace(places: readonly number[], length: number, fresh: string): string {
    let result = "";
    let position = 0;
    for (const place of places) {
      const start = this.#offset(place);
      const end = this.#offset(place + length);
      result += this.#original.slice(position, start) + withEnding(fresh, this.#endingAt(start, end));
      position = end;
    }
    return result + this.#original.slice(position);
  }

  /** Where an offset of the LF text lies in the original; the newline's own offset lies before its carriage return. */
  #offset(place: number): number {
    let low = 0;
    let high = this.#removed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#removed[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return place + low;
  }

  /** New lines end like the lines they replace, or like the line they are in. */
  #endingAt(start: number, end: number): "\n" | "\r\n" {
    const replaced = this.#original.slice(start, end);
    if (replaced.includes("\n")) return dominantEnding(replaced);
    const next = this.#original.indexOf("\n", end);
    const last = next >= 0 ? next : this.#original.lastIndexOf("\n");
    return last > 0 && this.#original[last - 1] === "\r" ? "\r\n" : "\n";
  }
}
