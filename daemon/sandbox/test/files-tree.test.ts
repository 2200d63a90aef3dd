import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLong } from "@muster/chaos";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collected, FilesHome, piecesOf } from "./files-home.ts";
import { makeOddTree, pictureOf } from "./odd-tree.ts";

let home: FilesHome;
let before: Map<string, string>;
const files = isLong ? 50_000 : 2_000;
beforeAll(async () => {
  home = await FilesHome.make();
  await makeOddTree(join(home.root, "tree"), files);
  before = pictureOf(join(home.root, "tree"));
}, 600_000);
afterAll(() => home.remove());

const minutes = isLong ? 30 * 60_000 : 120_000;

it.each(["tar", "tar.gz"] as const)(
  "a tree with odd names comes back identical through %s",
  { timeout: minutes },
  async (format) => {
    const to = `again ${format}`;
    const bytes = home.bytes("download", { path: "tree", format });
    const uploaded = await home.value("upload", { path: to, format }, { body: bytes });
    expect(pictureOf(join(home.root, to))).toEqual(before);
    expect(before.size).toBeGreaterThan(files);
    expect(uploaded).toMatchObject({ files: [...before.values()].filter((one) => one.startsWith("file")).length });
    // Holes stay holes: 24 MiB of which two blocks hold anything.
    expect(statSync(join(home.root, to, "sparse")).blocks * 512).toBeLessThan(200_000);
  },
);

it("what is downloaded is read by GNU tar, and what GNU tar makes is taken", { timeout: minutes }, async () => {
  const there = join(home.path, "by-tar");
  mkdirSync(there);
  writeFileSync(join(home.path, "down.tar"), await collected(home.bytes("download", { path: "tree" })));
  execFileSync("tar", ["xpf", join(home.path, "down.tar"), "-C", there]);
  expect(pictureOf(there)).toEqual(before);
  for (const form of ["gnu", "posix"]) {
    const made = execFileSync("tar", ["c", `--format=${form}`, "-C", there, "."], { maxBuffer: 1 << 30 });
    await home.value("upload", { path: `from ${form}` }, { body: piecesOf(made) });
    expect(pictureOf(join(home.root, `from ${form}`))).toEqual(before);
  }
});

it("a zip holds every file with its mode and links, as unzip reads it", { timeout: minutes }, async () => {
  await makeOddTree(join(home.root, "small"), 100);
  const zip = join(home.path, "down.zip");
  writeFileSync(zip, await collected(home.bytes("download", { path: "small", format: "zip" })));
  const script = `
import sys, zipfile, hashlib, json
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.orig_filename.encode("utf-8" if i.flag_bits & 0x800 else "cp437").decode("latin1"), i.external_attr >> 16, i.file_size, hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))
`;
  const listed = JSON.parse(execFileSync("python3", ["-c", script, zip], { encoding: "utf8", maxBuffer: 1 << 28 })) as [
    string,
    number,
    number,
    string,
  ][];
  const inZip = new Map(listed.map(([name, ...rest]) => [name.replace(/\/$/, ""), rest]));
  for (const [name, picture] of pictureOf(join(home.root, "small"))) {
    const [mode = 0, size, hash] = inZip.get(name) ?? [];
    const [type, modeText, sizeText, , hashText] = picture.split(" ");
    expect(inZip.has(name), JSON.stringify(name)).toBe(true);
    expect(mode >> 12, name).toBe(type === "link" ? 0o12 : type === "directory" ? 0o4 : 0o10);
    if (type !== "file") continue;
    expect([(mode & 0o777).toString(8), String(size), hash], name).toEqual([modeText, sizeText, hashText]);
  }
});

it("a list tells every name of the tree in pages, also those that are no UTF-8", { timeout: minutes }, async () => {
  const seen: string[] = [];
  let after: { after?: string; afterBytes?: string } = {};
  for (;;) {
    const page = await home.value<{ entries: { path: string; pathBytes?: string }[]; hasMore: boolean }>("list", {
      path: "tree",
      recursive: true,
      limit: 333,
      ...after,
    });
    for (const { path, pathBytes } of page.entries)
      seen.push(Buffer.from(pathBytes ?? path, pathBytes ? "base64" : "utf8").toString("latin1"));
    const last = page.entries.at(-1);
    after = last?.pathBytes === undefined ? { after: last?.path ?? "" } : { afterBytes: last.pathBytes };
    if (!page.hasMore) break;
  }
  expect(new Set(seen)).toEqual(new Set(before.keys()));
  expect(seen.length).toBe(before.size);
});
