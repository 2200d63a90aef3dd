/**
 * `node scripts/pictures/chores.mjs [number…]`: does the thirty chores of docs/codebuff/chores.md in a real terminal with the built
 * `codebuff` and a model that follows a script, and keeps the last screen of each as docs/pictures/chores/<number>.svg. A chore
 * that does not show what it must ends this with 1. Look at each picture before you keep it.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPlace } from "../../codebuff/cli/bench/pty.mjs";
import { prepare, root } from "../prepare.mjs";
import { chores } from "./chore-table.mjs";
import { svgOf } from "./terminal-svg.mjs";

/** Keys within 300 ms of a question's appearing are taken for the draft's: a person is not faster either. */
const readingMs = 400;

prepare();
const wanted = process.argv.slice(2).map(Number);
const folder = join(root, "docs/pictures/chores");
await mkdir(folder, { recursive: true });
for (const [at, chore] of chores.entries()) {
  const number = at + 1;
  if (wanted.length > 0 && !wanted.includes(number)) continue;
  try {
    await writeFile(join(folder, `${String(number).padStart(2, "0")}.svg`), await pictureOf(number, chore));
    process.stdout.write(`${number} ok\n`);
  } catch (error) {
    process.stdout.write(`${number} FAILED: ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function pictureOf(
  number,
  { turns, script, files = {}, flags = [], env = {}, go, columns = 90, rows = 26, shell, at },
) {
  const place = await openPlace(script ?? { conversations: [{ turns }] });
  try {
    for (const [path, text] of Object.entries({ "a.js": "const one = 1;\n", ...files })) {
      await mkdir(dirname(join(place.project, path)), { recursive: true });
      await writeFile(join(place.project, path), text);
    }
    Object.assign(place.env, env);
    const terminal = place.open("bash", ["--norc", "--noprofile"], { columns, rows });
    await terminal.shows("shell>");
    terminal.type(`${shell ? "" : "exec "}codebuff ${flags.join(" ")}\r`);
    await terminal.shows("with the key");
    for (const step of go) {
      const [keys, seen] = typeof step === "string" ? [step] : step;
      terminal.type(keys);
      if (seen) await terminal.shows(seen);
      if (at !== "once") await pause(readingMs);
    }
    await pause(readingMs);
    return svgOf(await terminal.cells(), { light: false, title: `Chore ${number} at the terminal` });
  } finally {
    await place.close();
  }
}
