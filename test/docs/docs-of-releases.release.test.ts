import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fences, root, runnerOf } from "./fences.ts";

const execute = promisify(execFile);

/** Blocks of commands that install what a release has, run one after the other in a home of their own, as they stand. */
const ofReleases = fences.filter((fence) => runnerOf(fence) === "release");
const isHere = process.platform === "linux" && process.arch === "x64";

/** How this machine reaches a registry; settings of the npm that runs the tests are not those of a person. */
const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /proxy|cert|_ca_|cafile|registry|^ssl_/i.test(name)),
);

describe("the blocks of the documentation that install a release", { timeout: 600_000 }, () => {
  let home: string;
  let folder: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "muster-docs-releases-"));
    folder = join(home, "release");
    await execute(process.execPath, [join(root, "scripts/release.mjs"), "--out", folder], { cwd: home });
    for (const name of ["bin", "prefix", ".local/share/muster"]) await mkdir(join(home, name), { recursive: true });
  }, 600_000);
  afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));

  test("are there", () => {
    expect(ofReleases.map(({ page }) => page)).toEqual(
      expect.arrayContaining(["docs/installing.md", "docs/reference/upgrade.md"]),
    );
  });

  for (const { page, commands } of ofReleases) {
    const [first = ""] = commands.split(/ {2}|\n/);
    test.runIf(isHere)(`${page}: ${first}`, async () => {
      const typed = commands
        .replaceAll("/usr/local/bin/", `${home}/bin/`)
        // The one that comes after this one is not made yet.
        .replaceAll("-0.2.0.tgz", "-0.1.0.tgz");
      const env = {
        ...network,
        HOME: home,
        PATH: `${home}/prefix/bin:${home}/bin:${process.env.PATH}`,
        NO_COLOR: "1",
        npm_config_prefix: join(home, "prefix"),
        npm_config_audit: "false",
        npm_config_fund: "false",
        PIP_TARGET: join(home, "python"),
        PIP_NO_INDEX: "1",
      };
      const { stdout } = await execute("bash", ["-c", `set -eu\npip() { python3 -m pip "$@"; }\n${typed}`], {
        cwd: folder,
        env,
        maxBuffer: 16 << 20,
        timeout: 300_000,
      });
      if (typed.includes("run mock")) expect(stdout).toContain("hello");
      if (typed.includes("npx --package")) expect(stdout).toMatch(/\d+\.\d+\.\d+/);
      if (typed.includes("npm uninstall")) {
        expect(existsSync(join(home, "prefix/bin/sandbox-daemon"))).toBe(false);
        expect(existsSync(join(home, ".local/share/muster"))).toBe(false);
      }
    });
  }
});
