/** What a piece of text is, not how it looks; each theme says how. */
export const styleNames = [
  "text",
  "dim",
  "strong",
  "emphasis",
  "struck",
  "user",
  "accent",
  "good",
  "bad",
  "warning",
  "heading",
  "code",
  "link",
  "keyword",
  "string",
  "number",
  "comment",
  "name",
  "added",
  "removed",
  "addedWord",
  "removedWord",
  "chosen",
] as const;
export type StyleName = (typeof styleNames)[number];

export type ThemeName = "dark" | "light";
/** Without colours (`NO_COLOR`) shapes stay: bold, dim, reverse. `plain` has nothing at all. */
export type Look = "colours" | "shapes" | "plain";
export type Theme = Readonly<Record<StyleName, (text: string) => string>>;

/** SGR codes: those that begin a style and those that end it. */
export type Codes = readonly [begin: string, end: string];

const shapes: Partial<Record<StyleName, Codes>> = {
  dim: ["2", "22"],
  strong: ["1", "22"],
  emphasis: ["3", "23"],
  struck: ["9", "29"],
  heading: ["1", "22"],
  user: ["1", "22"],
  chosen: ["7", "27"],
};

const dark: Partial<Record<StyleName, Codes>> = {
  ...shapes,
  user: ["1;36", "22;39"],
  accent: ["36", "39"],
  good: ["32", "39"],
  bad: ["31", "39"],
  warning: ["33", "39"],
  heading: ["1;36", "22;39"],
  code: ["33", "39"],
  link: ["4;34", "24;39"],
  keyword: ["35", "39"],
  string: ["32", "39"],
  number: ["33", "39"],
  comment: ["90", "39"],
  name: ["36", "39"],
  added: ["32", "39"],
  removed: ["31", "39"],
  addedWord: ["30;42", "39;49"],
  removedWord: ["30;41", "39;49"],
};

const light: Partial<Record<StyleName, Codes>> = {
  ...dark,
  user: ["1;34", "22;39"],
  accent: ["34", "39"],
  warning: ["38;5;130", "39"],
  heading: ["1;34", "22;39"],
  code: ["38;5;130", "39"],
  number: ["38;5;130", "39"],
  string: ["38;5;28", "39"],
  name: ["38;5;25", "39"],
  good: ["38;5;28", "39"],
  added: ["38;5;28", "39"],
  removed: ["38;5;124", "39"],
  // Of the first sixteen, a light terminal may have made "white" dark.
  addedWord: ["38;5;22;48;5;157", "39;49"],
  removedWord: ["38;5;88;48;5;224", "39;49"],
};

/** `own` is what a file of the person's says beyond a theme; without colours it says nothing. */
export function themeFor(name: ThemeName, look: Look = "colours", own: Partial<Record<StyleName, Codes>> = {}): Theme {
  const colours = { ...(name === "light" ? light : dark), ...own };
  const codes = look === "plain" ? {} : look === "shapes" ? shapes : colours;
  const styles = styleNames.map((style) => [style, styleOf(codes[style])]);
  return Object.fromEntries(styles) as Theme;
}

function styleOf(codes: Codes | undefined): (text: string) => string {
  if (codes === undefined) return (text) => text;
  const [begin, end] = codes;
  return (text) => (text === "" ? "" : `\u001b[${begin}m${text}\u001b[${end}m`);
}

/** The answer to `OSC 11 ; ?`: how bright the background is; undefined when it is no such answer. */
export function backgroundOf(sequence: string): ThemeName | undefined {
  const found = /\]11;rgba?:([0-9a-f]{2,4})\/([0-9a-f]{2,4})\/([0-9a-f]{2,4})/i.exec(sequence);
  if (found === null) return undefined;
  const [red = 0, green = 0, blue = 0] = found.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}
