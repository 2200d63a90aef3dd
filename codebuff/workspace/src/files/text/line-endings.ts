import { diffArrays } from "diff";

export type LineEnding = "\n" | "\r\n";

/** What most lines of the text end with; "\n" for a text of one line. */
export function dominantEnding(text: string): LineEnding {
  const crlf = count(text, "\r\n");
  return crlf > count(text, "\n") - crlf ? "\r\n" : "\n";
}

export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function withEnding(text: string, ending: LineEnding): string {
  return ending === "\n" ? toLf(text) : toLf(text).replaceAll("\n", "\r\n");
}

/** The lines of a text, each with its own ending; the last one has none when the text does not end in a newline. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A whole new content with the endings of the old one: lines that stay keep theirs, new lines take the usual one. */
export function keepLineEndings(before: string, after: string): string {
  const ending = dominantEnding(before);
  if (!before.includes("\n")) return after;
  const mixed = count(before, "\r\n") !== count(before, "\n");
  if (!mixed) return withEnding(after, ending);
  const old = splitLines(before);
  const wanted = splitLines(toLf(after));
  const changes = diffArrays(old.map(toLf), wanted, { timeout: 1000 });
  if (changes === undefined) return withEnding(after, ending);
  let position = 0;
  let result = "";
  for (const change of changes) {
    if (change.added) result += withEnding(change.value.join(""), ending);
    else {
      if (!change.removed) result += old.slice(position, position + change.value.length).join("");
      position += change.value.length;
    }
  }
  return result;
}

function count(text: string, piece: string): number {
  return text.split(piece).length - 1;
}
