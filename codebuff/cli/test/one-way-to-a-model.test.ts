import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));
const screenRooms = ["blocks", "chat", "dialogs", "input", "run", "screen", "slash", "transcript"];
const statement = /^import\s+(type\s+)?(?:[^"']*?from\s+)?["']([^"']+)["']/gm;

function importsOf(file: string): { isType: boolean; specifier: string }[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(statement)].map(([, type, specifier = ""]) => ({ isType: type !== undefined, specifier }));
}

function filesOf(room: string): string[] {
  return readdirSync(join(src, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(src, room, name));
}

it("the screen reaches a model only through the SDK", () => {
  const files = screenRooms.flatMap(filesOf);
  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) =>
        /^(?:ai$|@ai-sdk\/|@openrouter\/|@muster\/codebuff-(?:runtime|agents|server))/.test(specifier),
      )
      .map(({ specifier }) => `${relative(src, file)}: ${specifier}`),
  );
  expect(foreign).toEqual([]);
  // The balance of the account is no model.
  const fetching = files.filter((file) => /\bfetch\(|node:https?["']/.test(readFileSync(file, "utf8")));
  expect(fetching.map((file) => relative(src, file))).toEqual(["run/read-usage.ts"]);
  const running = files.filter((file) => /\bclient\.(?:run|stream)\(/.test(readFileSync(file, "utf8")));
  expect(running.map((file) => relative(src, file)).sort()).toEqual(["run/compact-history.ts", "run/conversation.ts"]);
});

it("pi-tui is reached through one file", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const using = files.filter((name) => /@earendil-works/.test(readFileSync(join(src, name), "utf8")));
  expect(using).toEqual(["pi-tui.ts"]);
});

it("the first frame loads neither the SDK nor the workspace", () => {
  const seen = new Set<string>();
  const dear: string[] = [];
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { isType, specifier } of importsOf(file)) {
      if (isType) continue;
      if (/^@muster\/codebuff-(?:sdk|workspace)$/.test(specifier) || specifier.startsWith("highlight.js")) {
        dear.push(`${relative(src, file)}: ${specifier}`);
      }
      if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
    }
  };
  visit(join(src, "open-chat.ts"));
  expect(dear).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
});
