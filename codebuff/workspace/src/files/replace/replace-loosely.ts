import { diffArrays } from "diff";
import { type IndentMap, indentOf, learnIndents } from "../text/indentation.ts";

interface LooseEdit {
  readonly start: number;
  readonly end: number;
  readonly fresh: string;
}
export type LooseOutcome =
  | { readonly edit: LooseEdit; readonly matchedBy: "indentation" | "whitespace" }
  | { readonly reason: string | undefined };

/**
 * Finds whole lines that differ from the searched ones only in whitespace, in exactly one place, and merges: lines the
 * caller did not touch keep the file's bytes, new lines get the file's indentation. Where the caller's whitespace could
 * be meant in two ways there is no edit. All texts have LF endings.
 */
export function replaceLoosely(text: string, searched: string, fresh: string): LooseOutcome {
  const framed = frame(searched, fresh);
  if (framed === undefined) return { reason: undefined };
  const lines = text.split("\n");
  const places = findPlaces(lines, framed.searched);
  if (places.length === 0) return { reason: undefined };
  if (places.length > 1) return { reason: `ignoring whitespace it would match ${places.length} places` };
  const first = places[0] ?? 0;
  const region = lines.slice(first, first + framed.searched.length);
  const merged = mergeLines(region, framed.searched, framed.fresh);
  if (merged === undefined)
    return { reason: "whitespace differs and the right indentation of the new text is not sure" };
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0);
  const length = region.join("\n").length;
  const isLast = first + region.length === lines.length;
  const onlyIndent = region.every((line, index) => line.trimStart() === framed.searched[index]?.trimStart());
  const matchedBy = onlyIndent ? "indentation" : "whitespace";
  if (framed.fresh.length > 0) return { edit: { start, end: start + length, fresh: merged.join("\n") }, matchedBy };
  return { edit: { start, end: start + length + (isLast ? 0 : 1), fresh: "" }, matchedBy };
}

interface Framed {
  readonly searched: readonly string[];
  readonly fresh: readonly string[];
}

/** Both texts as whole lines. A newline at an end that only one of them has would join or split lines: not here. */
function frame(searched: string, fresh: string): Framed | undefined {
  if (searched.trim() === "") return undefined;
  const starts = searched.startsWith("\n");
  const ends = searched.endsWith("\n");
  if (fresh === "") {
    // Without its newline the deleted line would leave an empty one behind; only the caller knows which is meant.
    if (!ends || starts) return undefined;
    return { searched: searched.slice(0, -1).split("\n"), fresh: [] };
  }
  if (starts !== fresh.startsWith("\n") || ends !== fresh.endsWith("\n")) return undefined;
  const cut = (text: string) => text.slice(starts ? 1 : 0, ends ? -1 : undefined).split("\n");
  return { searched: cut(searched), fresh: cut(fresh) };
}

function findPlaces(lines: readonly string[], searched: readonly string[]): number[] {
  const wanted = searched.map(squeeze);
  const places: number[] = [];
  const squeezed = lines.map(squeeze);
  for (let at = 0; at + wanted.length <= squeezed.length; at += 1) {
    if (wanted.every((line, index) => squeezed[at + index] === line)) places.push(at);
  }
  return places;
}

/** Whitespace between two word characters separates them and stays as one blank; all other whitespace goes. */
function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, (blanks, at: number, whole: string) => {
    return isWord(whole[at - 1]) && isWord(whole[at + blanks.length]) ? " " : "";
  });
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function mergeLines(
  region: readonly string[],
  searched: readonly string[],
  fresh: readonly string[],
): string[] | undefined {
  const pairs = region.map((file, index) => ({ file, old: searched[index] ?? "" }));
  const changes = diffArrays([...searched], [...fresh], { timeout: 1000 });
  if (changes === undefined) return undefined;
  const toFile = indentRule(
    pairs,
    fresh,
    changes.flatMap((change) => (change.added || change.removed ? [] : change.value)),
  );
  if (toFile === undefined) return undefined;
  const merged: string[] = [];
  let position = 0;
  for (const change of changes) {
    if (change.added) {
      for (const line of change.value) {
        const adapted = movedLine(pairs, line) ?? (carriesOver(line, pairs) ? undefined : toFile(line));
        if (adapted === undefined) return undefined;
        merged.push(adapted);
      }
      continue;
    }
    const touched = pairs.slice(position, position + change.value.length);
    position += change.value.length;
    if (!change.removed) merged.push(...touched.map((pair) => pair.file));
  }
  return merged;
}

type Pair = { readonly file: string; readonly old: string };

/** A line that only changed its place keeps the bytes it has in the file. */
function movedLine(pairs: readonly Pair[], line: string): string | undefined {
  const found = new Set(pairs.filter((pair) => pair.old === line && line.trim() !== "").map((pair) => pair.file));
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * A new line may have the caller's wrong blanks in it, copied from an old line or out of the same habit: nobody can tell
 * which are meant.
 */
function carriesOver(fresh: string, pairs: readonly Pair[]): boolean {
  const habits = new Set(pairs.flatMap(({ file }) => blanksOf(file).filter(isHabit)));
  const wrong = new Set(
    pairs.flatMap(({ file, old }) => {
      const right = new Set(blanksOf(file));
      return blanksOf(old).filter((spot) => !right.has(spot) && !habits.has(spot));
    }),
  );
  return wrong.size > 0 && blanksOf(fresh).some((spot) => wrong.has(spot));
}

/**
 * Every place between two characters, and the line's end, with the blanks there. `( a` is a spot of its own, and beside a
 * sign also `(` with a blank behind it and whatever follows.
 */
function blanksOf(line: string): string[] {
  const text = `${line.trimStart()}\0`;
  return [...text.matchAll(/(\S)(\s*)(?=(\S))/g)].flatMap(([, left = "", blanks = "", right = ""]) => {
    const spots = [left + blanks + right];
    if (!isWord(left)) spots.push(`${left}${blanks}…`);
    if (!isWord(right)) spots.push(`…${blanks}${right}`);
    return spots;
  });
}

/** How a sign is set, whatever stands on its other side. */
function isHabit(spot: string): boolean {
  return spot.includes("…");
}

/** Decides in whose indentation the new lines are written: the caller's (translate) or the file's (leave). */
function indentRule(
  pairs: readonly Pair[],
  fresh: readonly string[],
  kept: readonly string[],
): ((line: string) => string | undefined) | undefined {
  const full = pairs.filter((pair) => pair.old.trim() !== "");
  const moved = full.filter((pair) => indentOf(pair.old) !== indentOf(pair.file));
  const asIs = (line: string) => line;
  if (moved.length === 0) return asIs;
  const map = learnIndents(full.map((pair) => ({ from: indentOf(pair.old), to: indentOf(pair.file) })));
  if (map !== undefined && isUniformShift(full, fresh)) return indentTranslation(map);
  const callers = moved.some((pair) => kept.includes(pair.old));
  const files = moved.some((pair) => fresh.includes(pair.file));
  if (callers && files) return undefined;
  if (files) return asIs;
  // One line in the place of many, at a depth both texts agree on.
  const first = full[0];
  const isOne = fresh.length === 1 && first !== undefined && indentOf(first.old) === indentOf(first.file);
  if (isOne && indentOf(fresh[0] ?? "") === indentOf(first.old)) return asIs;
  if (map === undefined) return undefined;
  if (callers) return indentTranslation(map);
  const indents = new Set(fresh.filter((line) => line.trim() !== "").map(indentOf));
  const ofCaller = new Set(full.map((pair) => indentOf(pair.old)));
  const ofFile = new Set(full.map((pair) => indentOf(pair.file)));
  const only = (here: Set<string>, there: Set<string>) => [...indents].every((one) => here.has(one) && !there.has(one));
  if (only(ofCaller, ofFile)) return indentTranslation(map);
  return only(ofFile, ofCaller) ? asIs : undefined;
}

/** The caller left the outer indentation away (or added some), on every line alike, and went on so in the new text. */
function isUniformShift(pairs: readonly Pair[], fresh: readonly string[]): boolean {
  const shifts = new Set(pairs.map(({ file, old }) => indentOf(file).length - indentOf(old).length));
  const isSame = pairs.every(
    ({ file, old }) => indentOf(file).endsWith(indentOf(old)) || indentOf(old).endsWith(indentOf(file)),
  );
  const indents = fresh.filter((line) => line.trim() !== "").map(indentOf);
  const ofCaller = new Set(pairs.map((pair) => indentOf(pair.old)));
  const outermost = (all: readonly string[]) => Math.min(...all.map((one) => one.length));
  return (
    shifts.size === 1 &&
    isSame &&
    indents.every((indent) => ofCaller.has(indent)) &&
    outermost(indents) === outermost(pairs.map((pair) => indentOf(pair.old)))
  );
}

function indentTranslation(map: IndentMap): (line: string) => string | undefined {
  return (line) => {
    if (line.trim() === "") return line;
    const indent = map.translate(indentOf(line));
    return indent === undefined ? undefined : indent + line.slice(indentOf(line).length);
  };
}
