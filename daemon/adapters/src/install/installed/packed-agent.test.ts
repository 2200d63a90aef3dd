import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tarGz } from "../../../test/archives.ts";
import { makeDirectory } from "../../../test/host.ts";
import { installingHost, programOf } from "../../../test/vendor-mirror.ts";
import { codebuffRelease } from "../../codebuff/release.ts";
import { opencodeRelease } from "../../opencode/release.ts";
import { ensureInstalled } from "../installer.ts";
import { findInstalled } from "./find-installed.ts";

const manifestOf = (version: string, more: object = {}) =>
  JSON.stringify({ name: "@muster/codebuff", version, bin: { codebuff: "bin/codebuff" }, ...more });

/** A host whose operator has named a tarball, and a way to put another one in its place. */
async function packed(agent = "codebuff") {
  const path = join(await makeDirectory(), "codebuff.tgz");
  const host = installingHost({ sources: { [agent]: [{ kind: "file", path }] } });
  const put = (version: string, manifest = manifestOf(version)) =>
    writeFile(
      path,
      tarGz([
        { name: "package/package.json", content: manifest },
        { name: "package/bin/codebuff", content: programOf(version) },
      ]),
    );
  return { path, host, put };
}

it("a tarball is unpacked once, and found again, also when it is gone", async () => {
  const { path, host, put } = await packed();
  await put("1.2.0");
  expect(await findInstalled(host, codebuffRelease)).toBeUndefined();
  const installed = await ensureInstalled(host, codebuffRelease);
  expect(installed).toMatchObject({ version: "1.2.0", source: "file", alreadyInstalled: false });
  expect(await ensureInstalled(host, codebuffRelease)).toEqual({ ...installed, alreadyInstalled: true });
  expect(await findInstalled(host, codebuffRelease, { trusting: true })).toMatchObject({ path: installed.path });
  await rm(path);
  expect(await ensureInstalled(host, codebuffRelease)).toEqual({ ...installed, alreadyInstalled: true });
});

it("another tarball in its place is another program, also of an older version", async () => {
  const { host, put } = await packed();
  for (const version of ["1.2.0", "1.3.0", "1.1.0"]) {
    await put(version);
    expect(await ensureInstalled(host, codebuffRelease)).toMatchObject({ version, alreadyInstalled: false });
    expect(await ensureInstalled(host, codebuffRelease)).toMatchObject({ version, alreadyInstalled: true });
  }
});

it.each([
  [
    "the registry's package",
    manifestOf("1.0.0", { name: "codebuff" }),
    /is the package codebuff, not @muster\/codebuff/,
  ],
  ["a package without the command", manifestOf("1.0.0", { bin: { other: "x" } }), /has no command codebuff/],
  ["a command outside of it", manifestOf("1.0.0", { bin: { codebuff: "../../../bin/sh" } }), /lies outside of it/],
  ["a manifest that is none", "no JSON", /is not a packed package/],
])("%s is refused", async (_, manifest, cause) => {
  const { host, put } = await packed();
  await put("1.0.0", manifest);
  const refused = await ensureInstalled(host, codebuffRelease).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "install_failed", message: expect.stringMatching(cause) });
});

it("what is no archive, another version than was pinned, and a guest's archive are refused", async () => {
  const { path, host, put } = await packed();
  await writeFile(path, "not gzip");
  await expect(ensureInstalled(host, codebuffRelease)).rejects.toMatchObject({ code: "install_failed" });
  await put("1.0.0");
  await expect(ensureInstalled(host, codebuffRelease, { version: "1.5.0" })).rejects.toThrow(/1\.5\.0/);
  const guest = await packed("opencode");
  await guest.put("1.0.0");
  await expect(ensureInstalled(guest.host, opencodeRelease)).rejects.toThrow(/is taken as a program/);
});
