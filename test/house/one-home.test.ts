import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { manifestOf, packagesOf, separateStreets, streets } from "../../scripts/streets.mjs";
import { homes, patterns, roomDoors } from "./one-home-table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Source {
  readonly file: string;
  readonly text: string;
}

const folders: string[] = packagesOf([...streets, ...separateStreets]);
const sources = folders.flatMap(sourcesOf);

describe("a concept has one home", () => {
  it.each(Object.entries(homes))("%s is declared in %s and nowhere else", (name, home) => {
    const declaring = sources.filter(({ text }) => declares(name, text)).map(({ file }) => file);
    expect(declaring).toEqual([home]);
  });

  it.each(patterns)("$what: $instead is there for it", ({ pattern, allowed }) => {
    const found = sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ file }) => file);
    const ends = Object.keys(allowed);
    expect(found.filter((file) => !ends.some((end) => file.endsWith(end)))).toEqual([]);
    // An exception that is no longer needed would let the next copy in.
    expect(ends.filter((end) => !found.some((file) => file.endsWith(end)))).toEqual([]);
  });
});

it("a file does more than pass on what another has, unless it is a door", () => {
  const passing = sources.filter(({ text }) => passesOn(text)).map(({ file }) => file);
  const doors = new Set([...folders.flatMap(doorsOf), ...roomDoors]);
  expect(passing.filter((file) => !doors.has(file))).toEqual([]);
});

it("the readers of this test know a declaration, a comment and a file that only passes on", () => {
  expect(declares("messageOf", "export async function messageOf(error: unknown) {}")).toBe(true);
  expect(declares("messageOf", "  const messageOf = () => 1;")).toBe(true);
  expect(declares("messageOf", "export class messageOf<T> {}")).toBe(true);
  expect(declares("messageOf", "import { messageOf } from 'x'; messageOf(1); const messageOfItem = 1;")).toBe(false);
  expect(withoutComments('/* a */ const b = "c"; // d')).not.toMatch(/[ad]/);
  expect(passesOn('/** Why. */\nexport { a, type B } from "./a.ts";\nexport * from "./c.ts";\n')).toBe(true);
  expect(passesOn('import { a } from "./a.ts";\n\nexport { a };\n')).toBe(true);
  expect(passesOn('import { a } from "./a.ts";\nexport const b = { ...a };\n')).toBe(false);
  expect(passesOn('import "./a.ts";\n')).toBe(false);
});

function sourcesOf(folder: string): Source[] {
  const src = join(root, folder, "src");
  if (!existsSync(src)) return [];
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[cm]?tsx?$/.test(name) && !/\.test\.[cm]?tsx?$/.test(name))
    .map((name) => ({
      file: `${folder}/src/${name.split(sep).join("/")}`,
      text: readFileSync(join(src, name), "utf8"),
    }));
}

function declares(name: string, text: string): boolean {
  return new RegExp(`\\b(?:function\\*?|class|const|let|var)\\s+${name}\\b`).test(withoutComments(text));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** Every statement is an export of something another file declares, taken directly or imported just before. */
function passesOn(text: string): boolean {
  const code = withoutComments(text);
  if (!/\bexport\b/.test(code)) return false;
  const passed = /\b(?:import|export)\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+["'][^"']+["'];?/g;
  return (
    code
      .replace(passed, "")
      .replace(/\bexport\s+(?:type\s+)?\{[^}]*\};?/g, "")
      .trim() === ""
  );
}

/** The files a package is entered by: its `src/index.ts`, and each source its package.json exports. */
function doorsOf(folder: string): string[] {
  const { exports = {} } = manifestOf(folder) as { exports?: Record<string, Record<string, string>> };
  const named = Object.values(exports).map((entry) => entry["@muster/source"]);
  return ["./src/index.ts", ...named].flatMap((path) => (path === undefined ? [] : [join(folder, path)]));
}
