/**
 * `node scripts/pictures.mjs [name…]`: the pictures of docs/pictures, made from the built `codebuff` in a headless terminal
 * with a model that follows a script. Needs rsvg-convert and DejaVu Sans Mono. Look at each before you keep it.
 */
import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPlace } from "../codebuff/cli/bench/pty.mjs";
import { scenes } from "./pictures/scenes.mjs";
import { svgOf } from "./pictures/terminal-svg.mjs";
import { prepare, root } from "./prepare.mjs";

prepare();
const wanted = process.argv.slice(2);
const folder = join(root, "docs/pictures");
await mkdir(folder, { recursive: true });
for (const [name, scene] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await takePicture(name, scene);
  process.stdout.write(`${name}\n`);
}

async function takePicture(name, { script, files = {}, flags = [], go, columns = 100, rows = 34, light = false }) {
  const place = await openPlace(script);
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(place.project, path)), { recursive: true });
      await writeFile(join(place.project, path), text);
    }
    const args = ["--norc", "--noprofile", "-c", `exec codebuff ${flags.join(" ")}`];
    const terminal = place.open("bash", args, { columns, rows });
    await terminal.until("›");
    if (light) terminal.type("\u001b]11;rgb:ffff/ffff/ffff\u0007");
    await pause(300);
    await go(terminal);
    await pause(300);
    const svg = svgOf(await terminal.cells(), { light });
    const file = join(folder, `${name}.svg`);
    await writeFile(file, svg);
    const made = spawnSync("rsvg-convert", ["--zoom", "2", "-o", join(folder, `${name}.png`), file]);
    if (made.status !== 0) throw new Error(`rsvg-convert: ${made.error ?? made.stderr}`);
    await rm(file);
  } finally {
    await place.close();
  }
}
