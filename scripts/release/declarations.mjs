/**
 * The declarations of a released package: the files that its doors reach, also those of our other packages, which then lie
 * inside it. A name that comes through another package's door is taken from the file that declares it, so that what nobody
 * can see is not brought along, nor the types of the packages that it needs.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { root } from "../prepare.mjs";
import { doorOf, ownPackages, placeOf } from "./own-packages.mjs";

/** Writes them; resolves with the names of the packages of others that they import. */
export async function stageDeclarations({ name, folder }) {
  const { room, manifest } = ownPackages.get(name);
  const outside = new Set();
  const seen = new Set();
  const waiting = Object.values(manifest.exports).flatMap(({ types }) => (types ? [join(root, room, types)] : []));
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    const text = declarationText(path, { released: name, reach: (target) => waiting.push(target), outside });
    const target = join(folder, targetOf(path, name));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return [...outside].sort();
}

/** Where a file of one of our packages goes. */
function targetOf(path, released) {
  for (const [name, { room }] of ownPackages) {
    const inRoom = relative(join(root, room), path);
    if (!inRoom.startsWith("..")) return join(placeOf(name, released), inRoom);
  }
  throw new Error(`${path} is in no package of ours`);
}

const namedImport = /^((?:import|export)(?: type)?) \{([^}]*)\} from "(@muster\/[^"]+)";/gm;
const inlineImport = /import\("(@muster\/[^"]+)"\)\.(\w+)/g;
const anyImport = /(\bfrom |\bimport\(|\bimport )"([^"]+)"/g;

function declarationText(path, { released, reach, outside }) {
  const from = dirname(targetOf(path, released));
  const specifierTo = (file) => {
    reach(file);
    const to = relative(from, targetOf(file, released)).replace(/\.d\.ts$/, ".js");
    return to.startsWith(".") ? to : `./${to}`;
  };
  const text = readFileSync(path, "utf8").replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n");
  // Relative ones first: what is made of the others is relative, too.
  const near = text.replaceAll(anyImport, (whole, before, specifier) => {
    if (specifier.startsWith(".")) return `${before}"${specifierTo(fileOf(path, specifier))}"`;
    if (!specifier.startsWith("@muster/") && !isBuiltin(specifier)) outside.add(packageName(specifier));
    return whole;
  });
  return near
    .replaceAll(namedImport, (_, verb, names, specifier) =>
      byFile(names, specifier)
        .map(({ file, list }) => `${verb} { ${list.join(", ")} } from "${specifierTo(file)}";`)
        .join("\n"),
    )
    .replaceAll(inlineImport, (_, specifier, name) => {
      const declared = declarationOf(specifier, name);
      return `import("${specifierTo(declared.file)}").${declared.name}`;
    })
    .replaceAll(anyImport, (whole, before, specifier) =>
      specifier.startsWith("@muster/") ? `${before}"${specifierTo(doorOf(specifier, "types"))}"` : whole,
    );
}

function packageName(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function fileOf(path, specifier) {
  const file = join(dirname(path), specifier).replace(/\.[jt]sx?$/, ".d.ts");
  if (!existsSync(file)) throw new Error(`${path} imports ${specifier}, which is not built`);
  return file;
}

/** Names in braces, by the files that declare them. */
function byFile(names, specifier) {
  const files = new Map();
  for (const { type, name, as } of entriesOf(names)) {
    const declared = declarationOf(specifier, name);
    const entry = `${type}${declared.name === as ? as : `${declared.name} as ${as}`}`;
    files.set(declared.file, [...(files.get(declared.file) ?? []), entry]);
  }
  return [...files].map(([file, list]) => ({ file, list }));
}

function entriesOf(names) {
  return [...names.matchAll(/(type )?\b(\w+)(?: as (\w+))?\s*(?:,|$)/g)].map(([, type = "", name, as = name]) => ({
    type,
    name,
    as,
  }));
}

/** The file that declares what a door gives under a name, and the name it has there. */
function declarationOf(specifier, name) {
  const door = doorOf(specifier, "types");
  return findDeclaration(door, name) ?? { file: door, name };
}

function findDeclaration(path, name) {
  const text = readFileSync(path, "utf8");
  if (
    new RegExp(`^export (declare )?(abstract )?(const|type|interface|class|function|enum) ${name}\\b`, "m").test(text)
  ) {
    return { file: path, name };
  }
  for (const [, names, target] of text.matchAll(/^export(?: type)? \{([^}]*)\} from "([^"]+)";/gm)) {
    const own = entriesOf(names).find(({ as }) => as === name);
    if (own === undefined) continue;
    if (target.startsWith("@muster/")) return declarationOf(target, own.name);
    return target.startsWith(".") ? findDeclaration(fileOf(path, target), own.name) : undefined;
  }
  for (const [, target] of text.matchAll(/^export(?: type)? \* from "(\.[^"]+)";/gm)) {
    const found = findDeclaration(fileOf(path, target), name);
    if (found !== undefined) return found;
  }
  return undefined;
}
