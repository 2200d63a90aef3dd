import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { beforeAll } from "vitest";

/** Debian's bubblewrap before the tests of a file, where it is missing and this process may install it. */
export function installBubblewrap(): void {
  beforeAll(() => {
    if (process.getuid?.() !== 0 || existsSync("/usr/bin/bwrap") || !existsSync("/usr/bin/apt-get")) return;
    const apt = (...words: string[]) => spawnSync("apt-get", words, { stdio: "ignore", timeout: 200_000 });
    if (apt("install", "-y", "bubblewrap").status === 0) return;
    apt("update");
    apt("install", "-y", "bubblewrap");
  }, 600_000);
}
