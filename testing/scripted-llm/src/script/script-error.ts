import type { z } from "zod";

/** A script that cannot be used. The message names the file, the turn and the field, one line per fault. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

type Path = readonly PropertyKey[];

/** Where a field stands in its file, if that is known. */
export type LineOf = (path: Path) => number | undefined;

export function scriptError(source: string, error: z.ZodError, lineOf: LineOf = () => undefined): ScriptError {
  const lines = error.issues.flatMap(leaves).map(({ path, message }) => {
    const line = lineOf(path);
    return `${source}${line === undefined ? "" : `:${line}`}: ${placeOf(path)}: ${message}`;
  });
  return new ScriptError([...new Set(lines)].join("\n"));
}

interface Leaf {
  readonly path: Path;
  readonly message: string;
}

/** A union that failed says little; the alternative that came furthest says what is wrong. */
function leaves(issue: z.core.$ZodIssue, _at?: number, _all?: unknown, before: Path = []): Leaf[] {
  const path = [...before, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ path, message: issue.message }];
  const alternatives = issue.errors.map((issues) => issues.flatMap((one) => leaves(one, 0, [], path)));
  const depth = (found: Leaf[]) => Math.max(...found.map((leaf) => leaf.path.length));
  const best = alternatives.toSorted((one, other) => depth(other) - depth(one))[0] ?? [];
  return depth(best) > path.length ? best : [{ path, message: issue.message }];
}

/** `conversations.0.turns.1.tools.0.name` → `conversation 1, turn 2, field tools[0].name`. */
function placeOf(path: Path): string {
  const rest = [...path];
  const places: string[] = [];
  for (const [list, word] of [
    ["conversations", "conversation"],
    ["turns", "turn"],
    ["routes", "route"],
  ] as const) {
    if (rest[0] !== list || typeof rest[1] !== "number") continue;
    places.push(`${word} ${rest[1] + 1}`);
    rest.splice(0, 2);
  }
  const field = rest.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  if (field !== "") places.push(`field ${field.replace(/^\./, "")}`);
  return places.length === 0 ? "script" : places.join(", ");
}
