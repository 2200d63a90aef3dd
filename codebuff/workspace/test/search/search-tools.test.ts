import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectFixture } from "../project-fixture.ts";

describe("code_search", () => {
  test("the answer is grouped by file as the original's", async () => {
    const { value } = await projectFixture({ "a.txt": "alpha\nbeta\n" });
    expect(await value("code_search", { pattern: "alpha" })).toEqual({
      stdout: "./a.txt:\n1:alpha",
      message: "Exit code: 0",
    });
    expect(await value("code_search", { pattern: "nowhere" })).toEqual({ stdout: "", message: "Exit code: 1" });
  });

  test("flags are read like a shell does, and context lines are marked", async () => {
    const { value } = await projectFixture({ "a b.ts": "one\nTWO\nthree\n", "c.js": "two\n" });
    expect(await value("code_search", { pattern: "two", flags: '-i -C1 -g "a b.*"' })).toMatchObject({
      stdout: "./a b.ts:\n1-one\n2:TWO\n3-three",
    });
    expect(await value("code_search", { pattern: "two", flags: "-il" })).toMatchObject({ stdout: "./a b.ts\n./c.js" });
    expect(await value("code_search", { pattern: "t", flags: "-c" })).toMatchObject({ stdout: "./a b.ts:1\n./c.js:1" });
    expect(await value("code_search", { pattern: "t.o", flags: "-io" })).toMatchObject({
      stdout: "./a b.ts:\n2:TWO\n\n./c.js:\n1:two",
    });
  });

  test("a flag that could run a program or read another file is refused", async () => {
    const { value } = await projectFixture();
    for (const flags of ["--pre sh", "-f /etc/passwd", "--hostname-bin x"]) {
      expect(await value("code_search", { pattern: "x", flags })).toMatchObject({
        errorMessage: expect.stringContaining("not allowed"),
      });
    }
  });

  test("a broken pattern is told, a pattern like a flag is a pattern", async () => {
    const { value } = await projectFixture({ "a.txt": "--files\n" });
    expect(await value("code_search", { pattern: "(" })).toMatchObject({
      errorMessage: expect.stringContaining("unclosed group"),
    });
    expect(await value("code_search", { pattern: "--files" })).toMatchObject({ stdout: "./a.txt:\n1:--files" });
  });

  test("hits per file, hits in all and characters have an end", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}.txt`, "hit\n".repeat(30)]));
    const { value } = await projectFixture({ ...files, "long.txt": `needle ${"x".repeat(100_000)}\n` });
    const capped = await value<{ stdout: string; message: string }>("code_search", { pattern: "hit" });
    expect(capped.stdout.match(/:hit/g)).toHaveLength(250);
    expect(capped.message).toContain("stopped after 250 hits");
    const perFile = await value<{ stdout: string }>("code_search", {
      pattern: "hit",
      maxResults: 2,
      flags: "-g f1.txt",
    });
    expect(perFile.stdout).toBe("./f1.txt:\n1:hit\n2:hit");
    const long = await value<{ stdout: string }>("code_search", { pattern: "needle" });
    expect(long.stdout.length).toBeLessThan(1000);
  });

  test("ignored files, secrets and node_modules are left out; the dot directories of people are looked into", async () => {
    const { value } = await projectFixture({
      ".gitignore": "dist/\n",
      "packages/a/.gitignore": "gen.ts\n!keep.ts\n",
      "packages/a/gen.ts": "needle\n",
      "packages/a/keep.ts": "needle\n",
      "packages/b/gen.ts": "needle\n",
      ".codebuffignore": "drafts/\n",
      "packages/b/.codebuffignore": "private.ts\n",
      "packages/b/private.ts": "needle\n",
      "drafts/x.ts": "needle\n",
      "dist/out.js": "needle\n",
      "node_modules/m/index.js": "needle\n",
      ".env": "needle\n",
      "server.key": "needle\n",
      ".github/ci.yml": "needle\n",
      ".hidden/x.ts": "needle\n",
    });
    for (const flags of ["-l", "-l --no-ignore-vcs -g '*.env' -g '*'"]) {
      const { stdout } = await value<{ stdout: string }>("code_search", { pattern: "needle", flags });
      const expected = ["./.github/ci.yml", "./packages/a/keep.ts", "./packages/b/gen.ts"];
      const found = stdout.split("\n");
      if (flags === "-l") expect(found).toEqual(expected);
      for (const hidden of [".env", "server.key", "node_modules/m/index.js", "drafts/x.ts", "packages/b/private.ts"]) {
        expect(found).not.toContain(`./${hidden}`);
      }
    }
    expect(await value("code_search", { pattern: "needle", flags: "--hidden -g ci.yml" })).toMatchObject({
      stdout: "./.github/ci.yml:\n1:needle",
    });
    expect(await value("code_search", { pattern: "needle", cwd: "packages/a", flags: "-l" })).toMatchObject({
      stdout: "./keep.ts",
    });
  });
});

describe("glob", () => {
  test("the newest file comes first", async () => {
    const { root, value } = await projectFixture({ "a.ts": "", "src/b.ts": "", "src/c.ts": "", "d.js": "" });
    [
      ["src/b.ts", 3000],
      ["a.ts", 2000],
      ["src/c.ts", 1000],
    ].forEach(([name, time]) => {
      utimesSync(path.join(root, String(name)), Number(time), Number(time));
    });
    expect(await value("glob", { pattern: "**/*.ts" })).toEqual({
      files: ["src/b.ts", "a.ts", "src/c.ts"],
      count: 3,
      message: "Found 3 file(s) matching **/*.ts",
    });
    expect(await value("glob", { pattern: "*.ts", cwd: "src" })).toMatchObject({ files: ["src/b.ts", "src/c.ts"] });
  });

  test("ignored files are left out, names with newlines and other letters are not", async () => {
    const { value } = await projectFixture({
      ".gitignore": "*.log\n",
      "a.log": "",
      "new\nline.ts": "",
      "ümlaut.ts": "",
      ".config/x.ts": "",
    });
    expect((await value<{ files: string[] }>("glob", { pattern: "**/*.{ts,log}" })).files.sort()).toEqual([
      ".config/x.ts",
      "new\nline.ts",
      "ümlaut.ts",
    ]);
  });

  test("links are not followed out of the project", async () => {
    const { around, root, value } = await projectFixture({ "a.ts": "" });
    mkdirSync(path.join(around, "other"));
    writeFileSync(path.join(around, "other/b.ts"), "");
    symlinkSync("../other", path.join(root, "linked"));
    expect(await value("glob", { pattern: "**/*.ts" })).toMatchObject({ files: ["a.ts"] });
  });
});

describe("list_directory", () => {
  test("files and directories are told apart, links by what they lead to", async () => {
    const { root, value } = await projectFixture({ "src/b.ts": "", "a.ts": "", ".env": "" });
    symlinkSync("src", path.join(root, "link"));
    symlinkSync("nowhere", path.join(root, "broken"));
    expect(await value("list_directory", { path: "." })).toEqual({
      files: [".env", "a.ts", "broken"],
      directories: ["link", "src"],
      path: ".",
    });
  });

  test.each([
    ["nope", "does not exist"],
    ["a.ts", "not a directory"],
    ["..", "outside"],
  ])("%s is an error: %s", async (given, reason) => {
    const { value } = await projectFixture({ "a.ts": "" });
    expect(await value("list_directory", { path: given })).toMatchObject({
      errorMessage: expect.stringContaining(reason),
    });
  });
});

describe("find_files", () => {
  const files = {
    "src/auth/login-page.ts": "export function renderLogin() {}\n",
    "src/billing/invoice.ts": "export function sendInvoice() {}\n",
    "src/index.ts": "import './auth/login-page.ts';\n",
  };

  test("without a model the words of the prompt are looked up in paths and symbols", async () => {
    const { value } = await projectFixture(files);
    const found = await value<{ path: string; content: string }[]>("find_files", {
      prompt: "Where are invoices sent?",
    });
    expect(found).toMatchObject([{ path: "src/billing/invoice.ts", content: files["src/billing/invoice.ts"] }]);
    expect(await value("find_files", { prompt: "kubernetes" })).toEqual({ message: "No file fits the description" });
  });

  test("a model picks from the tree; paths it makes up are dropped, and its failure is not ours", async () => {
    let tree = "";
    const pickFiles = async (request: { tree: string }) => {
      tree = request.tree;
      return ["src/index.ts", "../etc/passwd", "src/nope.ts"];
    };
    const { value } = await projectFixture(files, { pickFiles });
    expect(await value("find_files", { prompt: "entry" })).toMatchObject([{ path: "src/index.ts" }]);
    expect(tree).toContain("login-page.ts renderLogin");
    const failing = await projectFixture(files, { pickFiles: () => Promise.reject(new Error("no model")) });
    expect(await failing.value("find_files", { prompt: "login page" })).toMatchObject([
      { path: "src/auth/login-page.ts" },
    ]);
  });
});

test("a file filter decides about every file in place of the secret names: reading, searching, listing, links", async () => {
  const { root, value } = await projectFixture(
    { "private/a.txt": "needle\n", "open.txt": "needle\n", ".env": "needle\n", "sample.conf": "needle\n" },
    {
      fileFilter: (file) => ({
        status: file.startsWith("private/") ? "blocked" : file === "sample.conf" ? "allow-example" : "allow",
      }),
    },
  );
  symlinkSync("private/a.txt", path.join(root, "link.txt"));
  expect(await value("read_files", { paths: ["private/a.txt", "link.txt", ".env", "sample.conf"] })).toMatchObject([
    { content: "[BLOCKED]" },
    { content: "[BLOCKED]" },
    { content: "needle\n" },
    { content: "[TEMPLATE]\nneedle\n" },
  ]);
  expect(JSON.stringify(await value("code_search", { pattern: "needle" }))).not.toContain("private");
  expect(await value("glob", { pattern: "**/*.txt" })).toMatchObject({ files: ["open.txt"] });
  expect(await value("list_directory", { path: "private" })).toMatchObject({ files: [], directories: [] });
  expect(JSON.stringify(await value("read_subtree", {}))).not.toContain("a.txt");
  const edit = { path: "private/a.txt", instructions: "", content: "x" };
  expect(await value("write_file", edit)).toHaveProperty("errorMessage");
});

test("what a file filter blocks is not named either: trees, symbols, callers, picked files", async () => {
  const { value } = await projectFixture(
    {
      "src/login.ts": "export function logIn() {}\n",
      "private/caller.ts": 'import { logIn } from "../src/login";\nexport function hiddenCaller() { logIn(); }\n',
    },
    { fileFilter: (file) => ({ status: file.startsWith("private/") ? "blocked" : "allow" }) },
  );
  const seen = [
    await value("read_subtree", {}),
    await value("read_subtree", { paths: ["private", "src"] }),
    await value("read_files", { paths: ["src/login.ts"] }),
    await value("find_files", { prompt: "the hidden caller that logs in" }),
    await value("list_directory", { path: "private" }),
  ];
  expect(JSON.stringify(seen)).toContain("logIn");
  expect(JSON.stringify(seen)).not.toMatch(/caller\.ts|hiddenCaller/);
});
