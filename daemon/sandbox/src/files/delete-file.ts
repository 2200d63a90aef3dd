import { Failure } from "@muster/schema/wire";
import { type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import type { Directory } from "./inside/directory.ts";
import { findPlace } from "./inside/find-place.ts";
import { shownPath } from "./inside/path-bytes.ts";

/** Deletes a name: of a link the link, of a directory what is in it only when that is wished. */
export async function deleteFile({ reach, fields }: FileCall): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const { directory, name, found } = await findPlace(reach, asked, { follows: false, changes: true });
  try {
    if (name === undefined) throw new Failure("file_denied", `${shownPath(asked)} is a root and is not deleted`);
    if (found === undefined) throw new Failure("file_not_found", `There is no ${shownPath(asked)}`);
    if (!found.isDirectory()) await directory.unlink(name);
    else if (fields.recursive === true) await deleteTree(directory, name);
    else await directory.removeDirectory(name);
    return { kind: "value", value: undefined };
  } finally {
    await directory.close();
  }
}

/** Deletes a directory with everything in it. A name that is gone meanwhile is as good as deleted. */
export async function deleteTree(above: Directory, name: Buffer): Promise<void> {
  const directory = await above.openDirectory(name);
  try {
    for (const inner of await directory.names()) {
      const found = await directory.find(inner);
      if (found?.isDirectory()) await deleteTree(directory, inner);
      else if (found !== undefined) await directory.unlink(inner).catch(throwUnlessGone);
    }
  } finally {
    await directory.close();
  }
  await above.removeDirectory(name).catch(throwUnlessGone);
}

function throwUnlessGone(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
