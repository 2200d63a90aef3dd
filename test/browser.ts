import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const program = "/usr/bin/chromium";

/** Debian's chromium, installed when it is missing and this process may do so; else the reason why there is none. */
export async function startBrowser(): Promise<Browser | { reason: string }> {
  const missing = installBrowser();
  if (missing !== undefined) return missing;
  return chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
}

/** Before the first test of a run, so that two tests never do it at once. The reason where it cannot be done. */
export function installBrowser(): { reason: string } | undefined {
  if (existsSync(program)) return undefined;
  if (process.getuid?.() !== 0) return { reason: "chromium is missing: apt-get install -y chromium" };
  spawnSync("apt-get", ["update"], { stdio: "ignore", timeout: 120_000 });
  spawnSync("apt-get", ["install", "-y", "chromium"], { stdio: "ignore", timeout: 400_000 });
  return existsSync(program) ? undefined : { reason: "chromium could not be installed" };
}
