import { type KeyId, matchesKey } from "../pi-tui.ts";
import { type Action, type Context, contexts, type KeyRow, keymap } from "./key-table.ts";

/** The table with the person's own keys (`keys` of the settings): a key gets another action, or with `none` no action. */
export function keymapWith(own: Readonly<Record<string, string>>): readonly KeyRow[] {
  const names = Object.keys(own);
  const rows = keymap.filter(([, key]) => !names.includes(key));
  const added = Object.entries(own).flatMap(([key, action]) =>
    keymap
      .filter(
        (row, at) =>
          row[2] === action && keymap.findIndex(([where, , does]) => where === row[0] && does === action) === at,
      )
      .map(([where, , does, help]): KeyRow => [where, key as KeyId, does, help]),
  );
  return [...added, ...rows];
}

/** The action of a key where these contexts hold; undefined means that it only writes. */
export function actionFor(
  sequence: string,
  holds: ReadonlySet<Context>,
  rows: readonly KeyRow[] = keymap,
): Action | undefined {
  for (const context of contexts) {
    if (!holds.has(context)) continue;
    const row = rows.find(([where, key]) => where === context && matchesKey(sequence, key));
    if (row !== undefined) return row[2];
  }
  return undefined;
}
