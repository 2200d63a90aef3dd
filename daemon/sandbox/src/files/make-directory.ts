import { Failure } from "@muster/schema/wire";
import { entryOf } from "./entry.ts";
import { type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import { findPlace } from "./inside/find-place.ts";
import { shownPath } from "./inside/path-bytes.ts";

/** Makes a directory, with `parents` those above it too. */
export async function makeDirectory({ reach, fields }: FileCall): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const makesParents = fields.parents === true;
  const place = await findPlace(reach, asked, { follows: true, changes: true, makesParents });
  const { directory, name, path, found } = place;
  try {
    if (found !== undefined && !(makesParents && found.isDirectory())) {
      throw new Failure("file_exists", `There is ${shownPath(asked)} already`);
    }
    if (name !== undefined && found === undefined) await directory.makeDirectory(name);
    const made = name === undefined ? found : await directory.find(name);
    if (made === undefined) throw new Failure("file_not_found", `${shownPath(asked)} was removed at once`);
    return { kind: "value", status: 201, value: await entryOf(path, made, place) };
  } finally {
    await directory.close();
  }
}
