import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type TarEntry, tarGz } from "../../../test/archives.ts";
import { makeDirectory } from "../../../test/host.ts";
import { extractTarGz } from "./extract-archive.ts";

async function places(archive: Buffer) {
  const folder = makeDirectory();
  const [path, target] = [join(folder, "archive"), join(folder, "target")];
  await writeFile(path, archive);
  await mkdir(target);
  return { path, target, folder };
}

async function untar(archive: Buffer, limits?: { bytes: number; entries: number }) {
  const { path, target, folder } = await places(archive);
  const outside = () => readdir(folder).then((names) => names.sort());
  return { target, outside, done: extractTarGz(path, target, limits) };
}

describe("tar", () => {
  it("keeps contents, modes and links that stay inside, as the system's tar makes them", async () => {
    const source = makeDirectory();
    const long = `${"a".repeat(90)}/${"b".repeat(90)}/${"c".repeat(90)}`;
    await mkdir(join(source, long, "deep"), { recursive: true });
    await writeFile(join(source, long, "deep", "ü.txt"), "long name");
    await writeFile(join(source, "program"), "#!/bin/sh\n", { mode: 0o755 });
    await writeFile(join(source, "large"), Buffer.alloc(2_000_000, "x"));
    await symlink("program", join(source, "link"));
    for (const format of ["gnu", "pax"]) {
      const archive = execFileSync("tar", ["-czf", "-", `--format=${format}`, "."], {
        cwd: source,
        maxBuffer: 10_000_000,
      });
      const { target, done } = await untar(archive);
      await done;
      expect(await readFile(join(target, long, "deep", "ü.txt"), "utf8")).toBe("long name");
      expect((await stat(join(target, "program"))).mode & 0o777).toBe(0o755);
      expect((await stat(join(target, "large"))).size).toBe(2_000_000);
      expect(await readlink(join(target, "link"))).toBe("program");
    }
  });

  it("never gives set-uid or writing by others", async () => {
    const { target, done } = await untar(tarGz([{ name: "a", content: "x", mode: 0o6777 }]));
    await done;
    expect((await stat(join(target, "a"))).mode & 0o7777).toBe(0o755);
  });

  const bad: [string, TarEntry[], RegExp][] = [
    ["a way up", [{ name: "../evil", content: "x" }], /lies outside/],
    ["a way up in the middle", [{ name: "a/../../evil", content: "x" }], /lies outside/],
    ["an absolute name", [{ name: "/tmp/evil", content: "x" }], /lies outside/],
    ["a link to outside", [{ name: "l", type: "2", linkName: "../evil" }], /lies outside/],
    ["a link to an absolute place", [{ name: "l", type: "2", linkName: "/etc/passwd" }], /outside of the archive/],
    ["a hard link to outside", [{ name: "l", type: "1", linkName: "../archive" }], /lies outside/],
    ["a link that points to nothing", [{ name: "l", type: "2", linkName: "nowhere" }], /points to nothing/],
    [
      "a file below a link",
      [
        { name: "l", type: "2", linkName: "." },
        { name: "l/x", content: "x" },
      ],
      /EEXIST|lies outside/,
    ],
    [
      "two files of one name",
      [
        { name: "a", content: "1" },
        { name: "a", content: "2" },
      ],
      /EEXIST/,
    ],
    ["a device", [{ name: "d", type: "3" }], /neither file, folder nor link/],
  ];
  it.each(bad)("%s is refused and nothing is written outside", async (_, entries, message) => {
    const { done, outside } = await untar(tarGz(entries));
    await expect(done).rejects.toThrow(message);
    expect(await outside()).toEqual(["archive", "target"]);
    expect(existsSync("/tmp/evil")).toBe(false);
  });

  it("a chain of links that leaves only as a whole is refused", async () => {
    const { folder, path, target } = await places(
      tarGz([
        { name: "a/b", type: "5" },
        { name: "a/up", type: "2", linkName: ".." },
        { name: "out", type: "2", linkName: "a/up/.." },
      ]),
    );
    await expect(extractTarGz(path, target)).rejects.toThrow(/leaves the archive|lies outside/);
    expect((await readdir(folder)).sort()).toEqual(["archive", "target"]);
  });

  it("a bomb, a torn file and a damaged header are refused", async () => {
    const large = tarGz([{ name: "a", content: "x".repeat(100_000) }]);
    await expect((await untar(large, { bytes: 99_999, entries: 10 })).done).rejects.toThrow("more than 99999 bytes");
    const many = tarGz(Array.from({ length: 11 }, (_, n) => ({ name: `f${n}` })));
    await expect((await untar(many, { bytes: 100, entries: 10 })).done).rejects.toThrow("more than 10 entries");
    await expect((await untar(large.subarray(0, large.length >> 1))).done).rejects.toThrow(
      /unexpected end|in the middle/,
    );
    await expect((await untar(Buffer.from("this is no archive"))).done).rejects.toThrow(/incorrect header check/);
  });
});
