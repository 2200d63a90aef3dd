import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import type { ScreenWorld } from "./screen-world.ts";

/**
 * The window as text with style runs is what `screens/<name>.txt` says. `npm test -- -u` writes the files anew; look at
 * what has changed before you keep it.
 */
export async function expectScreen(world: ScreenWorld, name: string): Promise<void> {
  const file = fileURLToPath(new URL(`../screens/${name}.txt`, import.meta.url));
  const look = async () => `${still(await world.terminal.styled(), world)}\n`;
  const known = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (known !== undefined) {
    const settles = vi.waitFor(async () => expect(await look()).toBe(known), { timeout: 10_000, interval: 30 });
    // What it shows instead is told by the comparison below.
    await settles.catch(() => undefined);
  }
  await expect(await look()).toMatchFileSnapshot(file);
}

/** What differs from run to run and from machine to machine. */
function still(screen: string, { project, home }: Pick<ScreenWorld, "project" | "home">): string {
  return (
    screen
      .replaceAll(project, "PROJECT")
      .replaceAll(home, "HOME")
      .replaceAll(/codebuff\} \{dim\|\d[\d.]* · /g, "codebuff} {dim|VERSION · ")
      .replaceAll(/\bs_[a-z0-9]{10,}/g, "SESSION")
      .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
      .replaceAll(/login\?id=[\w-]+/g, "login?id=ID")
      .replaceAll(/code [A-Z0-9]{4}-[A-Z0-9]{4}/g, "code CODE")
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "DATE")
      .replaceAll(/\b\d\d:\d\d:\d\d\b/g, "TIME")
      .replaceAll(/(?:\d+ min )?\b\d+(?:\.\d+)? m?s · \$\d[\d.]*/g, "TIME · COST")
      .replaceAll(/\d+ % context/g, "CONTEXT")
      .replaceAll(/\$\d+\.\d+/g, "COST")
      .replaceAll(/ · \d+ s · esc/g, " · TIME · esc")
      .replaceAll(/\b\d+(?= {2}running)|(?<=Stopped )\d+/g, "PID")
      // Whether the command or the tool is first to tell.
      .replaceAll(/ · (?:exit 130|Interrupted by the user)/g, " · INTERRUPTED")
      .replaceAll(/[◐◓◑◒]/g, "◐")
      .replaceAll(/\{dim\| · \d+(?:\.\d+)? s\}/g, "")
      .replaceAll(/ · \d+(?:\.\d+)? s(?=\}|$)/gm, "")
  );
}
