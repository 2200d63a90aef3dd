/** The schemas of the vendors, into a folder that is not kept: they are theirs. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

const folder = join(root, ".muster/agent-specs");
const run = (program, args, cwd = folder) =>
  execFileSync(program, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    timeout: 300_000,
    stdio: ["ignore", "pipe", "pipe"],
  });

/** agent → { version, types, fields } of the schema of the program that is installed, or was published last. */
export const vendorSchemas = {
  claude: () => typings("@anthropic-ai/claude-agent-sdk"),
  amp: () => typings("@sourcegraph/amp-sdk"),
  codex() {
    const out = fresh("codex");
    run("codex", ["app-server", "generate-json-schema", "--out", out]);
    return { version: run("codex", ["--version"]).trim(), ...wordsOfSchemas(jsonFiles(out)) };
  },
  opencode() {
    return {
      version: run("opencode", ["--version"]).trim(),
      ...wordsOfSchemas([JSON.parse(run("opencode", ["generate"]))]),
    };
  },
  codebuff() {
    const text = readFileSync(join(root, "codebuff/protocol/src/events.ts"), "utf8");
    return { version: "of this repository", ...wordsOfTypings([text]) };
  },
};

function typings(name) {
  const out = fresh(name.replaceAll(/\W+/g, "-"));
  run("npm", ["pack", name, "--pack-destination", out], out);
  run("tar", ["xzf", readdirSync(out).find((file) => file.endsWith(".tgz"))], out);
  const files = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".d.ts"));
  const { version } = JSON.parse(readFileSync(join(out, "package/package.json"), "utf8"));
  return { version, ...wordsOfTypings(files.map((path) => readFileSync(join(out, path), "utf8"))) };
}

function fresh(name) {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, name));
  return mkdtempSync(join(folder, name, "v-"));
}

function jsonFiles(path) {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.map((file) => JSON.parse(readFileSync(join(path, file), "utf8")));
}

const kinds = new Set(["type", "subtype", "method"]);

export function wordsOfSchemas(schemas) {
  const types = new Set();
  const fields = new Set();
  const walk = (value) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      fields.add(name);
      const words = [property?.const, ...(Array.isArray(property?.enum) ? property.enum : [])];
      if (kinds.has(name)) for (const word of words) if (typeof word === "string") types.add(word);
    }
    for (const one of Object.values(value)) walk(one);
  };
  for (const schema of schemas) walk(schema);
  return { types: [...types].sort(), fields: [...fields].sort() };
}

/** Typings are read by their words: enough to see that one came or went. */
export function wordsOfTypings(texts) {
  const types = new Set();
  const fields = new Set();
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\b(\w+)\??:/g)) fields.add(name);
    for (const [, words] of text.matchAll(
      /\b(?:type|subtype|method)\??:\s*(?:z\.literal\()?((?:["'][\w./-]+["'][\s|]*)+)/g,
    )) {
      for (const [, word] of words.matchAll(/["']([\w./-]+)["']/g)) types.add(word);
    }
  }
  return { types: [...types].sort(), fields: [...fields].sort() };
}
