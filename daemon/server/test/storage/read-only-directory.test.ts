import { spawnSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

it("a data directory on a read-only disk is told in words for people, and nothing is left of the start", async (context) => {
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return context.skip("mounting a disk here needs root");
  const place = await DaemonHome.make();
  onTestFinished(() => place.remove());
  const dataDirectory = join(place.path, "kept");
  await mkdir(dataDirectory, { mode: 0o700 });
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
  const within = ["unshare", "--mount", "sh", "-c", readOnly, dataDirectory];
  const home = await DaemonHome.make({ dataDirectory, within });
  onTestFinished(() => home.remove());
  await expect(home.start()).rejects.toThrow(
    `the data directory ${dataDirectory} is on a read-only disk; --data-dir takes another`,
  );
  expect(await readdir(dataDirectory)).toEqual([]);
});
