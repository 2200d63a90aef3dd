import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";

const most = 500;

/** What the person typed in earlier sessions, the oldest first. A file that cannot be read is an empty one. */
export async function readInputHistory(home: string): Promise<string[]> {
  const text = await readFile(fileOf(home), "utf8").catch(() => "");
  const lines = text.split("\n").slice(-most - 1);
  return lines.flatMap((line) => {
    // The empty last line, or one that a crash cut.
    const value = parseJson(line);
    return typeof value === "string" ? [value] : [];
  });
}

export async function addInputHistory(home: string, text: string): Promise<void> {
  await mkdir(join(home, ".codebuff"), { recursive: true, mode: 0o700 });
  await appendFile(fileOf(home), `${JSON.stringify(text)}\n`, { mode: 0o600 });
}

function fileOf(home: string): string {
  return join(home, ".codebuff", "input-history.jsonl");
}
