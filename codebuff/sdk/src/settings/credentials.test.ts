import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { freshFolder } from "../../test/fresh-folder.ts";
import { deleteCredential, findCredential, saveCredential } from "./credentials.ts";
import { readUserConfig } from "./user-config.ts";

async function homeWith(files: Record<string, string>): Promise<string> {
  const home = await freshFolder("home");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  return home;
}

const config = ".codebuff/config.json";
const auth = ".codebuff/auth.json";
const original = ".config/manicode/credentials.json";

const order: readonly [
  name: string,
  env: NodeJS.ProcessEnv,
  files: Record<string, string>,
  found: string | undefined,
][] = [
  ["the environment first", { CODEBUFF_API_KEY: "env-key" }, { [config]: '{"apiKey":"c"}' }, "env-key"],
  ["then config.json", {}, { [config]: '{"apiKey":"c-key","token":"t"}', [auth]: '{"apiKey":"a"}' }, "c-key"],
  ["token after apiKey", {}, { [config]: '{"apiKey":"  ","token":"c-token"}' }, "c-token"],
  ["then auth.json", {}, { [config]: "{}", [auth]: '{"token":"a-token"}' }, "a-token"],
  ["the original's file last", {}, { [original]: '{"default":{"authToken":"o-token"}}' }, "o-token"],
  ["blank is missing", { CODEBUFF_API_KEY: "  " }, {}, undefined],
];
it.each(order)("%s", async (_, env, files, found) => {
  const home = await homeWith(files);
  expect((await findCredential({ env, home }))?.apiKey).toBe(found);
});

it("a broken file is a warning with its name and without its content, then the next source", async () => {
  const home = await homeWith({ [config]: '{"apiKey": "sk-secret', [auth]: '{"apiKey":"a-key"}' });
  const warnings: string[] = [];
  const found = await findCredential({ env: {}, home, warn: (message) => warnings.push(message) });
  expect(found).toEqual({ apiKey: "a-key", source: join(home, auth) });
  expect(warnings).toEqual([expect.stringContaining(`${join(home, config)}, line 1: the file is not valid JSON`)]);
  expect(warnings.join()).not.toContain("sk-secret");
});

it("login writes auth.json for its owner only, logout deletes it", async () => {
  const home = await homeWith({});
  await saveCredential("cb-new", { home });
  expect((await stat(join(home, auth))).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, ".codebuff"))).mode & 0o777).toBe(0o700);
  expect((await findCredential({ env: {}, home }))?.apiKey).toBe("cb-new");
  expect([await deleteCredential({ home }), await deleteCredential({ home })]).toEqual([true, false]);
});

it("a field of the configuration that does not fit is told and left out", async () => {
  const home = await homeWith({ [config]: '{"model":"a/b","providers":{"x":{"type":"nonsense"}}}' });
  const warnings: string[] = [];
  const read = await readUserConfig(home, (message) => warnings.push(message));
  expect([read.model, read.providers, warnings.length]).toEqual(["a/b", {}, 1]);
});
