import { Failure } from "@muster/schema/wire";
import { entryOf } from "./entry.ts";
import { type FileAnswer, type FileCall, pathOf } from "./file-call.ts";
import { findPlace } from "./inside/find-place.ts";
import { shownPath } from "./inside/path-bytes.ts";

/** What a path names; of a link the link itself. */
export async function statFile({ reach, fields }: FileCall): Promise<FileAnswer> {
  const asked = pathOf(fields);
  const place = await findPlace(reach, asked, { follows: false });
  try {
    if (place.found === undefined) throw new Failure("file_not_found", `There is no ${shownPath(asked)}`);
    return { kind: "value", value: await entryOf(place.path, place.found, place) };
  } finally {
    await place.directory.close();
  }
}
