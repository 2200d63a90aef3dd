import { promises as disk, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FileSource, filesFromMap } from "../src/index.ts";
import { projectFixture } from "./project-fixture.ts";

const root = "/virtual/shop";

async function virtual(files: Record<string, string>, change: (source: FileSource) => FileSource = (one) => one) {
  const source = change(filesFromMap(root, files));
  return { files, source, ...(await projectFixture({}, { root, files: source })) };
}

const shop = () => ({
  "src/cart.ts": "export function addToCart(item: string) {\n  return [item];\n}\n",
  "src/page.ts": 'import { addToCart } from "./cart";\nexport const page = () => addToCart("tea");\n',
  "README.md": "# Shop\n",
  ".gitignore": "*.log\n",
  "debug.log": "addToCart\n",
});

test("every file tool works on a map: read, list, glob, search, trees, symbols", async () => {
  const { value } = await virtual(shop());
  expect(await value("read_files", { paths: ["src/cart.ts", `${root}/README.md`, "none.txt"] })).toMatchObject([
    { path: "src/cart.ts", content: shop()["src/cart.ts"] },
    { path: "README.md", content: "# Shop\n" },
    { content: "[FILE_DOES_NOT_EXIST]" },
  ]);
  expect(await value("list_directory", { path: "." })).toMatchObject({ directories: ["src"] });
  expect(await value("glob", { pattern: "**/*.ts" })).toMatchObject({ count: 2 });
  const found = await value<{ stdout: string }>("code_search", { pattern: "addToCart" });
  expect(found.stdout).toContain("./src/page.ts:");
  expect(found.stdout).not.toContain("debug.log");
  expect(JSON.stringify(await value("read_subtree", {}))).toContain("cart.ts addToCart");
  expect(await value("find_files", { prompt: "the cart" })).toMatchObject([{ path: "src/cart.ts" }]);
});

test("edits land in the map and nowhere on the disk, and what changes in the map is seen", async () => {
  const { files, value, workspace } = await virtual(shop());
  const replacements = [{ old: "Shop", new: "Tea shop" }];
  expect(await value("str_replace", { path: "README.md", replacements })).toMatchObject({ file: "README.md" });
  expect(await value("write_file", { path: "docs/a.md", instructions: "", content: "a\n" })).toMatchObject({
    message: "Created new file",
  });
  const operation = { type: "patch", patch: "*** Begin Patch\n*** Delete File: debug.log\n*** End Patch" };
  expect(await value("apply_patch", { operation })).toHaveProperty("applied");
  expect(files).toMatchObject({ "README.md": "# Tea shop\n", "docs/a.md": "a\n" });
  expect(files).not.toHaveProperty("debug.log");
  expect(existsSync(root)).toBe(false);
  files["README.md"] = "# Another, longer\n";
  expect(await value("read_files", { paths: ["README.md"] })).toMatchObject([{ content: "# Another, longer\n" }]);
  const mirror = workspace.project.root;
  await workspace.close();
  expect(existsSync(mirror)).toBe(false);
});

test("node's own file system is such a port", async () => {
  const around = mkdtempSync(path.join(tmpdir(), "codebuff-port-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  mkdirSync(path.join(around, "src"));
  writeFileSync(path.join(around, "src/a.txt"), "one\n");
  const { value } = await projectFixture({}, { root: around, files: disk });
  const replacements = [{ old: "one", new: "two" }];
  expect(await value("str_replace", { path: "src/a.txt", replacements })).toMatchObject({ message: "Updated file" });
  expect(readFileSync(path.join(around, "src/a.txt"), "utf8")).toBe("two\n");
});

test("a port that refuses a write is told as an error, and the file is as it was", async () => {
  const { files, value } = await virtual(shop(), (source) => ({
    ...source,
    writeFile: () => Promise.reject(new Error("read-only store")),
  }));
  const edit = { path: "README.md", instructions: "", content: "x\n" };
  expect(await value("write_file", edit)).toMatchObject({ errorMessage: expect.stringContaining("read-only store") });
  expect(files["README.md"]).toBe("# Shop\n");
  expect(await value("read_files", { paths: ["README.md"] })).toMatchObject([{ content: "# Shop\n" }]);
});

test("a file that somebody changed in the port while it was edited is not overwritten", async () => {
  const files: Record<string, string> = shop();
  const source = filesFromMap(root, files);
  const ask = async () => {
    files["README.md"] = "# Changed by a person\n";
    return { decision: "once" as const };
  };
  const { value } = await projectFixture({}, { root, files: source, permissions: "default", ask });
  const edit = { path: "README.md", instructions: "", content: "mine\n" };
  expect(await value("write_file", edit)).toMatchObject({ errorMessage: expect.stringContaining("somebody else") });
  expect(files["README.md"]).toBe("# Changed by a person\n");
});
