import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { manifestOf, packagesOf, separateStreets, streets } from "../../scripts/streets.mjs";
import {
  forBrowsers,
  forTests,
  mayImport,
  namesOfOthers,
  onlyLazily,
  withoutPackages,
  wordsOfTheDomain,
} from "./import-table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  name: string;
  exports?: Record<string, Record<string, string>>;
  dependencies?: Record<string, string>;
  /** The server, which only those need who want it in their own process. */
  peerDependencies?: Record<string, string>;
}

interface Import {
  from: string;
  specifier: string;
  kind: "static" | "type" | "dynamic";
}

const folders: string[] = packagesOf([...streets, ...separateStreets]);
const manifests = new Map<string, Manifest>(folders.map((folder) => [folder, manifestOf(folder) as Manifest]));
const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));

it("every package has a row and a name of its own", () => {
  expect(folders.filter((folder) => mayImport[folder] === undefined)).toEqual([]);
  expect(new Set([...manifests.values()].map(({ name }) => name)).size).toBe(folders.length);
});

it("the table has no circle and no way between the two halves", () => {
  for (const row of Object.keys(mayImport)) {
    const reached = reachable(row);
    expect([row, [...reached].filter((other) => other === row)]).toEqual([row, []]);
    const otherHalf = row.startsWith("daemon/") ? "codebuff/" : row.startsWith("codebuff/") ? "daemon/" : undefined;
    if (otherHalf) expect([...reached].filter((other) => other.startsWith(otherHalf))).toEqual([]);
  }
});

it("npm links the packages of every street", () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  expect(workspaces).toEqual(streets.map((street: string) => `${street}/*`));
});

describe.each(folders)("%s", (folder) => {
  const imports = importsOf(folder);

  it("imports only what its row allows", () => {
    const forbidden = imports
      .map(({ from, specifier }) => ({ from, specifier, target: targetOf(specifier) }))
      .filter(({ target }) => target !== undefined && target !== folder)
      .filter(({ from, target }) => !(mayImport[rowOf(folder, from)] ?? []).includes(target ?? ""));
    expect(forbidden).toEqual([]);
  });

  it("imports other packages through their door", () => {
    const ours = imports.filter(({ specifier }) => targetOf(specifier) !== undefined);
    const backdoors = ours.filter(({ specifier }) => !isDoor(specifier));
    const outside = imports.filter(({ from, specifier }) => leavesPackage(folder, from, specifier));
    expect([...backdoors, ...outside]).toEqual([]);
  });

  it("depends in its package.json on exactly what its src imports of ours", () => {
    const { dependencies, peerDependencies } = manifests.get(folder) ?? {};
    const declared = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
      name.startsWith("@muster/"),
    );
    const allowed = new Set([...(mayImport[folder] ?? []), ...(mayImport[`${folder}/inline`] ?? [])]);
    expect(declared.filter((name) => !allowed.has(folderOf.get(name) ?? name))).toEqual([]);
    const used = new Set(imports.map(({ specifier }) => targetOf(specifier)).filter((target) => target !== undefined));
    const missing = [...used].filter((target) => !declared.includes(manifests.get(target)?.name ?? ""));
    expect(missing.filter((target) => target !== folder)).toEqual([]);
  });

  it("has no two folders that import each other", () => {
    expect(mutualFolders(folder, imports)).toEqual([]);
  });

  it("does not import what is for tests only", () => {
    const ours = forTests.includes(folder)
      ? []
      : imports.filter(({ specifier }) => forTests.includes(targetOf(specifier) ?? ""));
    expect(ours).toEqual([]);
  });

  if (onlyLazily[folder]) {
    it("imports what is dear only when it is needed", () => {
      const dear = imports.filter(({ kind }) => kind === "static");
      const isDear = (specifier: string) =>
        onlyLazily[folder]?.some((one) => targetOf(specifier) === one || specifier.startsWith(one));
      expect(dear.filter(({ specifier }) => isDear(specifier))).toEqual([]);
    });
  }

  if (withoutPackages.includes(folder)) {
    it("imports nothing of others", () => {
      const foreign = imports.filter(({ specifier }) => !specifier.startsWith(".") && !isOfNode(specifier));
      expect(foreign.filter(({ specifier }) => targetOf(specifier) === undefined)).toEqual([]);
    });
  }

  if (folder.startsWith("base/")) {
    it("says no word of the domain", () => {
      const said = sourcesOf(folder).flatMap(({ file, text }) => {
        const word = wordsOfTheDomain.exec(
          text.replaceAll(/@muster\/\w+/g, "").replaceAll(namesOfOthers[folder] ?? /$^/g, ""),
        )?.[0];
        return word === undefined ? [] : [`${file}: ${word}`];
      });
      expect(said).toEqual([]);
    });
  }

  if (forBrowsers.includes(folder)) {
    it("runs in a browser: nothing of Node", () => {
      const native = imports.filter(({ from, specifier }) => rowOf(folder, from) === folder && isOfNode(specifier));
      expect(native.filter(({ kind }) => kind !== "type")).toEqual([]);
    });
  }
});

it("the reader of imports finds every way to write one", () => {
  const source = `
    import { a } from "one";
    import type { B } from "two";
    import "three";
    import {
      c,
      type D,
    } from "four";
    export * from "five";
    export { e } from "six";
    export type { F } from "seven";
    const lazy = await import("eight");
    type G = import("nine").G;
    // import { no } from "comment";
    /* import "block"; */
    const text = 'import "not this one"';
  `;
  expect(importsIn("x.ts", source).map(({ specifier, kind }) => `${specifier} ${kind}`)).toEqual([
    "one static",
    "two type",
    "three static",
    "four static",
    "five static",
    "six static",
    "seven type",
    "eight dynamic",
    "nine dynamic",
  ]);
});

function importsOf(folder: string): Import[] {
  return sourcesOf(folder).flatMap(({ file, text }) => importsIn(file, text));
}

function sourcesOf(folder: string): { file: string; text: string }[] {
  const src = join(root, folder, "src");
  if (!existsSync(src)) return [];
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[cm]?tsx?$/.test(name) && !/\.test\.[cm]?tsx?$/.test(name))
    .map((name) => ({
      file: `${folder}/src/${name.split(sep).join("/")}`,
      text: readFileSync(join(src, name), "utf8"),
    }));
}

/** Pairs of folders beside each other, at whatever depth, that import each other, also if only types. */
function mutualFolders(folder: string, imports: readonly Import[]): string[] {
  const ways = new Set<string>();
  for (const { from, specifier } of imports) {
    if (!specifier.startsWith(".")) continue;
    const [here, there] = [dirname(from), dirname(join(dirname(from), specifier))].map((path) =>
      relative(`${folder}/src`, path).split(sep).filter(Boolean),
    ) as [string[], string[]];
    const shared = here.findIndex((name, at) => name !== there[at]);
    if (shared === -1 || there[shared] === undefined) continue;
    const parent = here.slice(0, shared).join("/");
    ways.add(`${parent}|${here[shared]}|${there[shared]}`);
  }
  const pairs = [...ways].flatMap((way) => {
    const [parent = "", one = "", other = ""] = way.split("|");
    const isMutual = one < other && ways.has(`${parent}|${other}|${one}`);
    return isMutual ? [`${parent === "" ? "" : `${parent}/`}${one} ↔ ${other}`] : [];
  });
  return pairs.sort();
}

const statement = /^[ \t]*(?:import|export)\s+(?:(type)\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"']+)["']/gm;
const call = /\bimport\(\s*["']([^"']+)["']\s*[,)]/g;

function importsIn(from: string, source: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const found: (Import & { at: number })[] = [];
  for (const { 1: type, 2: specifier = "", index: at } of code.matchAll(statement)) {
    found.push({ from, specifier, kind: type === undefined ? "static" : "type", at });
  }
  for (const { 1: specifier = "", index: at } of code.matchAll(call)) {
    found.push({ from, specifier, kind: "dynamic", at });
  }
  return found.sort((one, other) => one.at - other.at).map(({ at: _, ...entry }) => entry);
}

/** The folder of the package a specifier names; undefined for what is not ours. */
function targetOf(specifier: string): string | undefined {
  const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  return folderOf.get(name) ?? (name.startsWith("@muster/") ? name : undefined);
}

/** A file of an entry with a row of its own, such as the client's `inline`, has that row. */
function rowOf(folder: string, file: string): string {
  const [, entry] = new RegExp(`^${folder}/src/([^/.]+)`).exec(file) ?? [];
  const row = `${folder}/${entry}`;
  return mayImport[row] === undefined ? folder : row;
}

function isDoor(specifier: string): boolean {
  const { name = "", exports = {} } = manifests.get(targetOf(specifier) ?? "") ?? {};
  return exports[`.${specifier.slice(name.length)}`] !== undefined;
}

function leavesPackage(folder: string, from: string, specifier: string): boolean {
  if (!specifier.startsWith(".")) return false;
  const target = relative(join(root, folder, "src"), resolve(root, dirname(from), specifier));
  return target.startsWith("..");
}

function isOfNode(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

function reachable(row: string): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    for (const next of mayImport[name] ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(row);
  return reached;
}
