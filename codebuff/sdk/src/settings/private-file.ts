import { dirname } from "node:path";
import { makeDirectories, replaceFile } from "@muster/node";

/** Written whole or not at all, readable by its owner only. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await makeDirectories(dirname(path));
  await replaceFile(path, text);
}
