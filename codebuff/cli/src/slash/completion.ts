import type { CustomCommand } from "@muster/codebuff-sdk";
import type { FilePicker, FoundTarget } from "../input/file-picker.ts";
import { Menu, type MenuEntry } from "../input/menu.ts";
import type { PromptEditor } from "../input/prompt-editor.ts";
import { slashCommands } from "./table.ts";

export interface Completion {
  readonly menu?: Menu;
  /** The menu that takes its place when a long search has ended. */
  readonly later?: Promise<Menu | undefined>;
}

/** The menu for what stands before the cursor: slash commands at the beginning, files and agents after `@`. */
export function completionFor(
  editor: PromptEditor,
  picker: FilePicker,
  { byTab = false, shown, own }: { byTab?: boolean; shown?: Menu; own?: OwnCommands } = {},
): Completion {
  const before = editor.beforeCursor;
  if (editor.isOneLine && /^\/[\w:?-]*$/.test(before)) {
    const entries = commandEntries(before.slice(1));
    const menu = menuOf(entries, before.length);
    const later = own?.().then((found) => {
      const typed = before.slice(1).toLowerCase();
      const more = ownEntries(found, typed);
      if (more.length === 0) return menu;
      // The one that is named in full is meant, unless a command of the chat is.
      const isNamed = more[0]?.value.trim() === `/${typed}` && entries[0]?.value.trim() !== `/${typed}`;
      return menuOf(isNamed ? [...more, ...entries] : [...entries, ...more], before.length);
    });
    return { menu, later };
  }
  const [word, mark, typed] = (byTab ? /(@?)([^\s@]*)$/ : /(?<=^|\s)(@)([^\s@]*)$/).exec(before) ?? [];
  if (word === undefined || mark === undefined || typed === undefined) return {};
  const menu = (found: readonly FoundTarget[]) =>
    menuOf(
      found.map(({ target, help }) => ({ value: `${mark}${target} `, label: target, help })),
      word.length,
    );
  const found = picker.find(typed);
  if (!(found instanceof Promise)) return { menu: menu(found) };
  // What is on the screen can still be chosen; it then takes the place of all that was typed.
  return { menu: shown && menuOf(shown.entries, word.length), later: found.then(menu) };
}

/** Commands of the person's own and of the project. */
export type OwnCommands = () => Promise<readonly Pick<CustomCommand, "name" | "description" | "hint">[]>;

function ownEntries(found: Awaited<ReturnType<OwnCommands>>, wanted: string): MenuEntry[] {
  return found
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => rankOf(other.name, wanted) - rankOf(one.name, wanted))
    .map(({ name, description, hint }) => ({
      value: `/${name}${hint === "" ? "" : " "}`,
      label: `/${name} ${hint}`.trimEnd(),
      help: description,
      isCommand: !hint.startsWith("<"),
    }));
}

function rankOf(name: string, wanted: string): number {
  return name === wanted ? 2 : name.startsWith(wanted) ? 1 : 0;
}

function menuOf(entries: readonly MenuEntry[], prefixLength: number): Menu | undefined {
  return entries.length === 0 ? undefined : new Menu(entries, prefixLength);
}

/** The command of that name, then those that begin with what was typed, then those that have it somewhere. */
function commandEntries(typed: string): MenuEntry[] {
  const wanted = typed.toLowerCase();
  const rank = (name: string, aliases: readonly string[]) => {
    if (name === wanted || aliases.includes(wanted)) return -1;
    if (name.startsWith(wanted)) return 0;
    if (aliases.some((alias) => alias.startsWith(wanted))) return 1;
    return name.includes(wanted) ? 2 : 3;
  };
  return slashCommands
    .map((command) => ({ command, rank: rank(command.name, command.aliases ?? []) }))
    .filter((one) => one.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ command: { name, argument = "", help } }) => ({
      value: `/${name}${argument === "" || name.endsWith(":") ? "" : " "}`,
      label: `/${name}${name.endsWith(":") ? "" : " "}${argument}`.trimEnd(),
      help,
      isCommand: !argument.startsWith("<"),
    }));
}
