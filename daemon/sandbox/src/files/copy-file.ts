import type { BigIntStats } from "node:fs";
import { Failure } from "@muster/schema/wire";
import { deleteTree } from "./delete-file.ts";
import { draftName, makeFile } from "./draft.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import type { Directory } from "./inside/directory.ts";
import { shownPath } from "./inside/path-bytes.ts";
import { betweenPlaces } from "./move-file.ts";
import { bytesOf, openFile } from "./read-file.ts";
import { writeSparse } from "./tree/write-sparse.ts";

/** Copies a file, a link or a directory: to a draft beside its new name first, so that no half of it is ever seen. */
export function copyFile(call: FileCall): Promise<FileAnswer> {
  const isOverwriting = call.fields.overwrite === true;
  return betweenPlaces(call, {
    keepsSource: true,
    async act(from, to) {
      const draft = draftName();
      const found = from.found as BigIntStats;
      if (!found.isFile() && !found.isDirectory() && !found.isSymbolicLink()) {
        throw new Failure("not_a_file", `${shownPath(from.path)} is a pipe, a socket or a device`);
      }
      try {
        await copyName({ directory: from.directory, name: from.name, found }, to.directory, draft);
        if (isOverwriting || found.isDirectory()) await to.directory.rename(draft, to.directory, to.name);
        else {
          await to.directory.linkTo(draft, to.directory, to.name);
          await to.directory.unlink(draft);
        }
      } catch (error) {
        await removeDraft(to.directory, draft);
        throw error;
      }
    },
  });
}

interface Source {
  readonly directory: Directory;
  readonly name: Buffer;
  readonly found: BigIntStats;
}

async function copyName({ directory, name, found }: Source, target: Directory, newName: Buffer): Promise<void> {
  if (found.isSymbolicLink()) return target.makeLink(newName, await directory.readLink(name));
  if (found.isDirectory()) return copyTree(await directory.openDirectory(name), found, target, newName);
  if (!found.isFile()) return;
  const source = await openFile(directory, name);
  const { size, mode } = await source.stat();
  const file = await makeFile(target, newName);
  try {
    await writeSparse(file, bytesOf(source, 0, size), size);
    await file.chmod(mode & 0o777);
  } finally {
    await file.close();
  }
}

async function copyTree(source: Directory, found: BigIntStats, target: Directory, newName: Buffer): Promise<void> {
  try {
    await target.makeDirectory(newName, 0o700);
    const copy = await target.openDirectory(newName);
    try {
      for (const name of await source.names()) {
        const inner = await source.find(name);
        if (inner !== undefined) await copyName({ directory: source, name, found: inner }, copy, name);
      }
      await copy.setMode(Number(found.mode) & 0o777);
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

async function removeDraft(directory: Directory, draft: Buffer): Promise<void> {
  const found = await directory.find(draft);
  if (found?.isDirectory()) await deleteTree(directory, draft);
  else if (found !== undefined) await directory.unlink(draft);
}
