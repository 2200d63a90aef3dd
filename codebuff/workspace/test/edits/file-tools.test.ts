import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectFixture } from "../project-fixture.ts";

const write = (name: string, content: string) => ({ path: name, instructions: "", content });
const replace = (name: string, old: string, fresh: string) => ({ path: name, replacements: [{ old, new: fresh }] });

describe("read_files", () => {
  test("duplicates are read once and every path gets its content or a marker", async () => {
    const { root, value } = await projectFixture({
      "a.txt": "alpha\nbeta\n",
      "large.txt": "",
      "latin.txt": Buffer.from([0xe9, 10]),
    });
    truncateSync(path.join(root, "large.txt"), 1024 * 1024 + 1);
    mkdirSync(path.join(root, "dir"));
    const paths = ["a.txt", "a.txt", "nope.txt", "../x", "large.txt", "latin.txt", "dir", "a.txt\0"];
    expect(await value("read_files", { paths })).toEqual([
      { path: "a.txt", content: "alpha\nbeta\n", referencedBy: {} },
      { path: "nope.txt", content: "[FILE_DOES_NOT_EXIST]", referencedBy: {} },
      { path: "../x", content: "[FILE_OUTSIDE_PROJECT]", referencedBy: {} },
      { path: "large.txt", content: "[FILE_TOO_LARGE] [1.00MB]", referencedBy: {} },
      { path: "latin.txt", content: "[FILE_READ_ERROR] not UTF-8 text", referencedBy: {} },
      { path: "dir", content: "[FILE_READ_ERROR] a directory", referencedBy: {} },
      { path: "a.txt\0", content: "[FILE_READ_ERROR]", referencedBy: {} },
    ]);
  });

  test("an absolute path inside the project is told as a relative one", async () => {
    const { root, value } = await projectFixture({ "src/a.txt": "x" });
    expect(await value("read_files", { paths: [path.join(root, "src/a.txt")] })).toMatchObject([
      { path: "src/a.txt", content: "x" },
    ]);
  });

  test("line ranges are cut out with the count of all lines, also of a file too large to read whole", async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1}`);
    const { value } = await projectFixture({ "long.txt": `${lines.join("\n")}\n`, "short.txt": "a\nb\n" });
    const ranges = [
      { path: "long.txt", startLine: 150_000, endLine: 150_001 },
      { path: "short.txt", startLine: 2 },
      { path: "short.txt", startLine: 9 },
    ];
    expect(await value("read_files", { paths: ["long.txt", "short.txt"], ranges })).toEqual([
      {
        path: "long.txt",
        content: "line 150000\nline 150001\n",
        referencedBy: {},
        range: { startLine: 150_000, endLine: 150_001, totalLines: 200_000 },
      },
      { path: "short.txt", content: "b\n", referencedBy: {}, range: { startLine: 2, endLine: 2, totalLines: 2 } },
      { path: "short.txt", content: "", referencedBy: {}, range: { startLine: 9, endLine: 2, totalLines: 2 } },
    ]);
  });

  test("an image is returned as media behind the json part", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { output } = await projectFixture({ "dot.png": png });
    expect(await output("read_files", { paths: ["dot.png"] })).toEqual([
      {
        type: "json",
        value: [{ path: "dot.png", content: `[IMAGE] image/png, ${png.length} bytes`, referencedBy: {} }],
      },
      { type: "media", data: png.toString("base64"), mediaType: "image/png" },
    ]);
  });

  test("a pipe or a device is not opened", async () => {
    const { root, value } = await projectFixture();
    execFileSync("sh", ["-c", `mkfifo "${path.join(root, "pipe")}"`]);
    expect(await value("read_files", { paths: ["pipe"] })).toMatchObject([
      { content: "[FILE_READ_ERROR] not a regular file" },
    ]);
  });

  test("who uses a file's symbols is told", async () => {
    const { value, workspace } = await projectFixture({
      "src/a.ts": "export function foo() {}\n",
      "src/b.ts": "foo();\n",
    });
    // Reading does not wait long for a first map; here it is ready.
    await workspace.codeMap.view();
    expect(await value("read_files", { paths: ["src/a.ts"] })).toMatchObject([{ referencedBy: { foo: ["src/b.ts"] } }]);
  });
});

describe("write_file", () => {
  test("a new file is made with its directories and shown as a real diff", async () => {
    const { root, value } = await projectFixture();
    expect(await value("write_file", write("deep/er/a.txt", "\nalpha\nbeta\n"))).toEqual({
      file: "deep/er/a.txt",
      message: "Created new file",
      unifiedDiff: "@@ -0,0 +1,2 @@\n+alpha\n+beta\n",
    });
    expect(readFileSync(path.join(root, "deep/er/a.txt"), "utf8")).toBe("alpha\nbeta\n");
    expect(readdirSync(path.join(root, "deep/er"))).toEqual(["a.txt"]);
  });

  test("a code fence around the content of a new file is dropped, in Markdown it is content", async () => {
    const { root, value } = await projectFixture();
    await value("write_file", write("a.ts", "```ts\nconst a = 1;\n```\n"));
    await value("write_file", write("a.md", "```ts\nconst a = 1;\n```\n"));
    expect(readFileSync(path.join(root, "a.ts"), "utf8")).toBe("const a = 1;\n");
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toBe("```ts\nconst a = 1;\n```\n");
  });

  test("line endings, byte order mark, mode and link of the existing file are kept", async () => {
    const { root, value } = await projectFixture({ "real.sh": "\uFEFFa\r\nb\r\n" });
    chmodSync(path.join(root, "real.sh"), 0o751);
    symlinkSync("real.sh", path.join(root, "link.sh"));
    expect(await value("write_file", write("link.sh", "a\nc\n"))).toMatchObject({
      file: "link.sh",
      message: "Updated file",
    });
    expect(readFileSync(path.join(root, "real.sh"), "utf8")).toBe("\uFEFFa\r\nc\r\n");
    expect(statSync(path.join(root, "real.sh")).mode & 0o777).toBe(0o751);
    expect(readlinkSync(path.join(root, "link.sh"))).toBe("real.sh");
  });

  test("the same content again is an error and leaves the file alone", async () => {
    const { root, value } = await projectFixture({ "a.txt": "a\r\n" });
    const before = statSync(path.join(root, "a.txt"));
    expect(await value("write_file", write("a.txt", "a\n"))).toMatchObject({
      errorMessage: expect.stringContaining("already"),
    });
    expect(statSync(path.join(root, "a.txt")).ino).toBe(before.ino);
  });

  test.each([
    ["a directory", "dir", "directory"],
    ["a path below a file", "a.txt/b.txt", ""],
    ["a path outside", "../b.txt", "outside"],
    ["a link that leads outside", "out.txt", "outside"],
  ])("%s is refused and nothing is written", async (_title, target, reason) => {
    const { root, around, value } = await projectFixture({ "a.txt": "a\n", "dir/x": "" });
    symlinkSync("../made.txt", path.join(root, "out.txt"));
    const result = await value<{ errorMessage: string }>("write_file", write(target, "x"));
    expect(result.errorMessage).toContain(reason);
    expect(readdirSync(around).sort()).toEqual(["proj"]);
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("a\n");
  });

  test("a reader never sees a half-written file", async () => {
    const { root, value } = await projectFixture({ "a.txt": "a".repeat(500_000) });
    const file = path.join(root, "a.txt");
    const seen = new Set<number>();
    let writing = true;
    const watch = (async () => {
      while (writing) {
        seen.add(new Set(readFileSync(file, "utf8")).size);
        await new Promise(setImmediate);
      }
    })();
    for (const letter of ["b", "c", "d", "e"]) await value("write_file", write("a.txt", letter.repeat(500_000)));
    writing = false;
    await watch;
    expect([...seen]).toEqual([1]);
  });
});

describe("str_replace", () => {
  test("the result is what the original answers", async () => {
    const { value } = await projectFixture({ "a.txt": "alpha\nbeta\n" });
    expect(await value("str_replace", replace("a.txt", "alpha", "ALPHA"))).toEqual({
      file: "a.txt",
      message: "Updated file",
      unifiedDiff: "@@ -1,2 +1,2 @@\n-alpha\n+ALPHA\n beta\n",
    });
  });

  test("a part that fails is told in front of the success, with its index", async () => {
    const { value } = await projectFixture({ "a.txt": "alpha\n" });
    const replacements = [
      { old: "zzz", new: "y" },
      { old: "alpha", new: "A" },
    ];
    expect(await value("str_replace", { path: "a.txt", replacements })).toMatchObject({
      message: expect.stringMatching(/^Replacement 1 of 2: .*Updated file$/s),
      failed: [0],
    });
  });

  test("several edits of one file in one step chain", async () => {
    const { root, hands } = await projectFixture({ "a.txt": "one\ntwo\nthree\n" });
    const calls = [
      ["one", "ONE"],
      ["ONE\ntwo", "ONE\nTWO"],
      ["three", "THREE"],
    ].map(([old = "", fresh = ""], index) => ({
      toolName: "str_replace",
      toolCallId: `c${index}`,
      input: replace("a.txt", old, fresh) as never,
    }));
    const results = await hands.call(calls);
    expect(results.map((result) => result.toolCallId)).toEqual(["c0", "c1", "c2"]);
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("ONE\nTWO\nTHREE\n");
  });

  test("a file that does not exist points to write_file, a binary one is refused", async () => {
    const { value } = await projectFixture({ "b.bin": Buffer.from([1, 0, 2]) });
    expect(await value("str_replace", replace("no.txt", "a", "b"))).toMatchObject({
      errorMessage: expect.stringContaining("write_file"),
    });
    expect(await value("str_replace", replace("b.bin", "a", "b"))).toMatchObject({
      errorMessage: expect.stringContaining("not UTF-8"),
    });
  });
});

describe("apply_patch", () => {
  const operation = (input: Record<string, unknown>) => ({ operation: input });

  test("files are created, updated, renamed and deleted", async () => {
    const { root, value } = await projectFixture({ "a.txt": "a\nb\n", "bin.dat": Buffer.from([0, 1, 2]) });
    chmodSync(path.join(root, "a.txt"), 0o755);
    expect(
      await value("apply_patch", operation({ type: "create_file", path: "n/new.txt", diff: "+x\n" })),
    ).toMatchObject({
      applied: [{ file: "n/new.txt", action: "add" }],
    });
    expect(
      await value(
        "apply_patch",
        operation({ type: "update_file", path: "a.txt", newPath: "moved/a2.txt", diff: "@@\n a\n-b\n+B\n" }),
      ),
    ).toMatchObject({
      applied: [{ file: "moved/a2.txt", action: "rename", from: "a.txt" }],
    });
    expect(
      await value("apply_patch", operation({ type: "rename_file", path: "bin.dat", newPath: "bin2.dat" })),
    ).toMatchObject({
      applied: [{ action: "rename" }],
    });
    expect(await value("apply_patch", operation({ type: "delete_file", path: "bin2.dat" }))).toMatchObject({
      applied: [{ action: "delete" }],
    });
    expect(readFileSync(path.join(root, "moved/a2.txt"), "utf8")).toBe("a\nB\n");
    expect(statSync(path.join(root, "moved/a2.txt")).mode & 0o777).toBe(0o755);
    expect(readdirSync(root).sort()).toEqual(["moved", "n"]);
  });

  test("deleting a link leaves what it points to", async () => {
    const { root, value } = await projectFixture({ "real.txt": "x" });
    symlinkSync("real.txt", path.join(root, "link.txt"));
    await value("apply_patch", operation({ type: "delete_file", path: "link.txt" }));
    expect(readdirSync(root)).toEqual(["real.txt"]);
  });

  const wholePatch = (bad: string) =>
    `*** Begin Patch\n*** Add File: new.txt\n+n\n*** Update File: a.txt\n@@\n-a\n+A\n*** Delete File: d.txt\n*** Update File: ${bad}\n@@\n-b\n+B\n*** End Patch\n`;

  test("a patch over several files is made as a whole", async () => {
    const { root, value } = await projectFixture({ "a.txt": "a\n", "b.txt": "b\n", "d.txt": "d\n" });
    expect(await value("apply_patch", operation({ type: "patch", patch: wholePatch("b.txt") }))).toMatchObject({
      message: "Applied the patch to 4 files",
    });
    expect(readdirSync(root).sort()).toEqual(["a.txt", "b.txt", "new.txt"]);
    expect(readFileSync(path.join(root, "b.txt"), "utf8")).toBe("B\n");
  });

  test.each(["missing.txt", "../b.txt", "other.txt"])("when one part (%s) fails nothing of it is made", async (bad) => {
    const files = { "a.txt": "a\n", "d.txt": "d\n", "other.txt": "something else\n" };
    const { root, value } = await projectFixture(files);
    expect(await value("apply_patch", operation({ type: "patch", patch: wholePatch(bad) }))).toHaveProperty(
      "errorMessage",
    );
    expect(
      Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(path.join(root, name), "utf8")])),
    ).toEqual(files);
  });

  test("a git diff is applied", async () => {
    const { root, value } = await projectFixture({ "a.txt": "1\n2\n3\n" });
    const patch =
      "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n";
    await value("apply_patch", operation({ type: "patch", patch }));
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("1\ntwo\n3\n");
  });

  test.each([
    [{ type: "create_file", path: "a.txt", diff: "+x" }, "exists already"],
    [{ type: "delete_file", path: "no.txt" }, "does not exist"],
    [{ type: "delete_file", path: "dir" }, "directory"],
    [{ type: "rename_file", path: "a.txt", newPath: "dir/x" }, "exists already"],
    [{ type: "update_file", path: "no.txt", diff: "@@\n-a\n+b\n" }, "create_file"],
  ])("%j is refused: %s", async (input, reason) => {
    const { value } = await projectFixture({ "a.txt": "a\n", "dir/x": "" });
    expect(await value("apply_patch", operation(input))).toMatchObject({
      errorMessage: expect.stringContaining(reason),
    });
  });
});

describe("proposals", () => {
  test("they stack per agent, touch no disk and are gone with the run", async () => {
    const { root, value, hands: a, workspace } = await projectFixture({ "a.txt": "one\n" });
    const b = a.beginAgent({ agentId: "b", runId: "run-b" });
    await value("propose_str_replace", replace("a.txt", "one", "two"), a);
    expect(await value("propose_str_replace", replace("a.txt", "two", "three"), a)).toMatchObject({
      message: "Updated file",
      unifiedDiff: "@@ -1,1 +1,1 @@\n-two\n+three\n",
    });
    expect(await value("propose_str_replace", replace("a.txt", "two", "three"), b)).toHaveProperty("errorMessage");
    await value("propose_write_file", write("new.txt", "x\n"), a);
    expect(await value("propose_str_replace", replace("new.txt", "x", "y"), a)).toMatchObject({
      message: "Updated file",
    });
    await a.end();
    const next = workspace.beginRun({ runId: "run-2" });
    expect(await value("propose_str_replace", replace("a.txt", "one", "four"), next)).toMatchObject({
      message: "Updated file",
    });
    expect(readdirSync(root)).toEqual(["a.txt"]);
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("one\n");
  });
});

test("create_plan writes Markdown and does not end the process (D6)", async () => {
  const { root, value } = await projectFixture();
  expect(await value("create_plan", { path: "plans/p.md", plan: "# Plan\n" })).toMatchObject({
    message: "Created new file",
  });
  expect(readFileSync(path.join(root, "plans/p.md"), "utf8")).toBe("# Plan\n");
});

describe("D7: the sibling whose name starts like the project's", () => {
  test("is neither listed, read, searched nor written", async () => {
    const { around, root, value } = await projectFixture({ "a.txt": "a" });
    mkdirSync(path.join(around, "proj-evil"));
    writeFileSync(path.join(around, "proj-evil/secret.txt"), "secret\n");
    symlinkSync("../proj-evil", path.join(root, "linked"));
    for (const directory of ["../proj-evil", "linked", path.join(around, "proj-evil")]) {
      expect(await value("list_directory", { path: directory })).toMatchObject({
        errorMessage: expect.stringContaining("outside"),
      });
      expect(await value("glob", { pattern: "**", cwd: directory })).toHaveProperty("errorMessage");
      expect(await value("code_search", { pattern: "secret", cwd: directory })).toHaveProperty("errorMessage");
      expect(await value("read_files", { paths: [`${directory}/secret.txt`] })).toMatchObject([
        { content: "[FILE_OUTSIDE_PROJECT]" },
      ]);
      expect(await value("read_subtree", { paths: [directory] })).toMatchObject([{ errorMessage: expect.any(String) }]);
      expect(await value("write_file", write(`${directory}/new.txt`, "x"))).toHaveProperty("errorMessage");
      expect(
        await value("apply_patch", {
          operation: { type: "rename_file", path: "a.txt", newPath: `${directory}/a.txt` },
        }),
      ).toHaveProperty("errorMessage");
    }
    expect(readdirSync(path.join(around, "proj-evil"))).toEqual(["secret.txt"]);
    expect(existsSync(path.join(root, "a.txt"))).toBe(true);
    expect(lstatSync(path.join(root, "linked")).isSymbolicLink()).toBe(true);
  });
});
