import { readFile } from "node:fs/promises";

/**
 * The built page of daemon/inspector. This room may not import that one: it only hands out its files. An executable has
 * no files: in its build scripts/release/embedded-page.mjs stands for this one.
 */
const folder = new URL("../../../inspector/dist/page/", import.meta.url);

/** What cannot be read is not there, for whoever asks. */
export function readPageFile(name: string): Promise<Buffer | undefined> {
  return readFile(new URL(name, folder)).catch(() => undefined);
}
