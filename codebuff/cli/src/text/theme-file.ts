import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInThemes, checkSettings } from "@muster/codebuff-protocol";
import { z } from "zod";
import { type Codes, type StyleName, styleNames } from "./theme.ts";

const attributes: Readonly<Record<string, Codes>> = {
  bold: ["1", "22"],
  dim: ["2", "22"],
  italic: ["3", "23"],
  underline: ["4", "24"],
  reverse: ["7", "27"],
  strike: ["9", "29"],
};
const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** `bold #ff8700 on black`: attributes, a colour, and after `on` the one behind it. Undefined when it is none. */
function readStyle(text: string): Codes | undefined {
  const begin: string[] = [];
  const end = new Set<string>();
  let isBehind = false;
  for (const word of text.trim().split(/\s+/)) {
    const attribute = attributes[word];
    if (word === "on") {
      isBehind = true;
      continue;
    }
    const colour = attribute === undefined ? colourCode(word, isBehind) : undefined;
    if (attribute === undefined && colour === undefined) return undefined;
    begin.push(attribute?.[0] ?? colour ?? "");
    end.add(attribute?.[1] ?? (isBehind ? "49" : "39"));
  }
  return begin.length === 0 ? undefined : [begin.join(";"), [...end].join(";")];
}

/** A name of the sixteen, a number of the 256, or `#rrggbb`. */
function colourCode(word: string, isBehind: boolean): string | undefined {
  const [, bright, name = ""] = /^(bright-)?([a-z]+)$/.exec(word) ?? [];
  const at = colours.indexOf(name);
  if (at !== -1) return String((bright === undefined ? 30 : 90) + at + (isBehind ? 10 : 0));
  const lead = isBehind ? "48" : "38";
  if (/^\d{1,3}$/.test(word) && Number(word) < 256) return `${lead};5;${word}`;
  const [, ...hex] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(word) ?? [];
  return hex.length === 0 ? undefined : `${lead};2;${hex.map((part) => Number.parseInt(part, 16)).join(";")}`;
}

const StyleText = z
  .string()
  .refine((text) => readStyle(text) !== undefined, 'is no style: such as "bold #ff8700", "cyan" or "black on 114"')
  .optional();

/** `~/.codebuff/themes/<name>.json`: what differs from the theme it is based on. */
const ThemeFile = z.strictObject({
  $schema: z.string().optional(),
  base: z.enum(["dark", "light"]).default("dark"),
  ...(Object.fromEntries(styleNames.map((name) => [name, StyleText])) as Record<StyleName, typeof StyleText>),
});

export interface ReadTheme {
  readonly base: "dark" | "light";
  readonly codes: Partial<Record<StyleName, Codes>>;
  /** What is wrong in the file, with its line; the rest of it holds. */
  readonly problems: readonly string[];
}

/** Names that can be given as a theme here. */
export function themeNames(home: string): string[] {
  let files: string[] = [];
  try {
    files = readdirSync(folderOf(home));
  } catch {
    // No folder, no themes of the person's own.
  }
  const own = files.filter((file) => /^[\w-]+\.json$/.test(file)).map((file) => file.slice(0, -".json".length));
  return [...new Set([...builtInThemes, ...own.sort()])];
}

/** A theme of the person's own; undefined for the names that need no file. */
export function readTheme(home: string, name: string): ReadTheme | undefined {
  if (builtInThemes.some((one) => one === name)) return undefined;
  const path = join(folderOf(home), `${name}.json`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { base: "dark", codes: {}, problems: [`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`] };
  }
  const { settings, problems } = checkSettings(ThemeFile, text);
  const codes = styleNames.flatMap((style) => {
    const read = readStyle(settings[style] ?? "");
    return read === undefined ? [] : [[style, read] as const];
  });
  return {
    base: settings.base,
    codes: Object.fromEntries(codes),
    problems: problems.map(({ line, key, message }) => `${path}, line ${line}: ${key || "the file"} ${message}`),
  };
}

function folderOf(home: string): string {
  return join(home, ".codebuff", "themes");
}
