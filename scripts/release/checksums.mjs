/** SHA256SUMS as `sha256sum --check` reads it. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";

export async function writeChecksums({ file, files }) {
  const lines = [];
  for (const path of files) {
    const sum = createHash("sha256");
    await pipeline(createReadStream(path), sum);
    lines.push(`${sum.digest("hex")}  ${basename(path)}\n`);
  }
  await writeFile(file, lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(""));
  return file;
}
