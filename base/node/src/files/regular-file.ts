import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const modes = { r: constants.O_RDONLY, "r+": constants.O_RDWR } as const;

/**
 * Opens what must be a file. A pipe in its place would be waited for without end, in one of the four threads that all
 * files share; a device would never end.
 */
export async function openRegular(path: string, mode: keyof typeof modes = "r"): Promise<FileHandle> {
  const handle = await open(path, modes[mode] | constants.O_NONBLOCK);
  try {
    mustBeRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function readRegular(path: string): Promise<Buffer> {
  const handle = await openRegular(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export function openRegularSync(path: string, mode: keyof typeof modes = "r"): number {
  const file = openSync(path, modes[mode] | constants.O_NONBLOCK);
  try {
    mustBeRegular(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** As the system says of a folder, so that it is told like any other file that cannot be read. */
function mustBeRegular(path: string, found: Stats): void {
  if (found.isFile()) return;
  throw Object.assign(new Error(`${path} is not a file`), { code: "EFTYPE", syscall: "open", path });
}
