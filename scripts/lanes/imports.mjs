/**
 * Which modules a test file can use, by its text: imports are followed through files and packages of this repository. The door
 * of a package is followed for the names that are asked of it, so that one function of a package does not bring in the others.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, packagesOf } from "../streets.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const every = "*";

/** The files of this repository that a file uses, and the modules from elsewhere, such as `node:net` or `zod`. */
export function usedBy(file) {
  const used = { files: new Set(), modules: new Set() };
  const seen = new Set();
  const open = [{ file, names: [every] }];
  for (const { file, names } of open) {
    const key = `${file} ${names.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    used.files.add(file);
    for (const { specifier, target, names: asked } of importsOf(file, names)) {
      if (target === undefined) used.modules.add(specifier);
      else open.push({ file: target, names: asked });
    }
  }
  return used;
}

/** Of a file that only passes on, the lines that pass on one of these names; of every other file, all of them. */
function importsOf(file, names) {
  const { imports, isDoor } = read(file);
  if (!isDoor || names.includes(every)) return imports;
  return imports.flatMap((one) => {
    if (one.names.includes(every)) return [{ ...one, names }];
    const asked = one.names.filter((_, at) => names.includes(one.outside[at]));
    return asked.length > 0 ? [{ ...one, names: asked }] : [];
  });
}

const files = new Map();

function read(file) {
  const known = files.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, file), "utf8").replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const imports = [...text.matchAll(statement)].flatMap(([, verb, type, clause, specifier]) =>
    type === undefined ? fromClause({ verb, clause, specifier }) : [],
  );
  const isDoor = imports.length > 0 && text.replaceAll(statement, "").trim() === "";
  for (const [, specifier] of text.matchAll(/\bimport\(\s*"([^"]+)"/g)) imports.push({ specifier, names: [every] });
  for (const [, specifier] of text.matchAll(/\bnew URL\("(\.[^"]+\.(?:ts|mjs|cjs|js))", import\.meta\.url\)/g))
    imports.push({ specifier, names: [every] });
  const found = { imports: imports.map((one) => ({ ...one, target: targetOf(file, one.specifier) })), isDoor };
  files.set(file, found);
  return found;
}

/** As Biome writes it: `import type` and `export type` bring nothing to run. */
const statement = /^(import|export)(\s+type)?\s+(?:([^"'();=]*?)\s+from\s+)?"([^"]+)"(?:\s+with\s+\{[^}]*\})?;$/gm;

/** One statement; nothing for one that names types only. `outside` are the names under which a door passes them on. */
function fromClause({ verb, clause, specifier }) {
  if (clause === undefined) return [{ specifier, names: [every], outside: [every] }];
  const braces = /\{([^}]*)\}/.exec(clause)?.[1];
  const listed = (braces ?? "").split(",").map((name) => name.trim());
  const values = listed.filter((name) => name !== "" && !name.startsWith("type "));
  const names = values.map((name) => name.split(" as ")[0].trim());
  const outside = values.map((name) => name.split(" as ").at(-1).trim());
  const rest = clause.replace(/\{[^}]*\}/, "").replaceAll(/[,\s]/g, "");
  if (rest !== "") return [{ specifier, names: [every], outside: [every] }];
  return names.length > 0 || (verb === "import" && braces?.trim() === "") ? [{ specifier, names, outside }] : [];
}

function targetOf(file, specifier) {
  if (specifier.startsWith(".")) {
    const path = join(dirname(file), specifier);
    return /\.(tsx?|mts|mjs|cjs|js)$/.test(path) && existsSync(join(root, path)) ? path : undefined;
  }
  const [, name, door] = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(specifier) ?? [];
  const { folder, doors } = ours().get(name) ?? {};
  const source = doors?.[`.${door ?? ""}`]?.["@muster/source"];
  return source === undefined ? undefined : join(folder, source);
}

let packages;

function ours() {
  packages ??= new Map(
    packagesOf().map((folder) => {
      const { name, exports: doors } = manifestOf(folder);
      return [name, { folder, doors }];
    }),
  );
  return packages;
}
