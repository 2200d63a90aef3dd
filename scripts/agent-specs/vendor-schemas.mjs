/** The schemas of the vendors, into a folder that is not kept: they are theirs. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { wordsOfSchemas, wordsOfTypings } from "./schema-words.mjs";

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
