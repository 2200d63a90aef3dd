import { Failure } from "@muster/schema/wire";
import type { CommitOrder } from "./commit-order.ts";
import { copyFile } from "./copy-file.ts";
import { deleteFile } from "./delete-file.ts";
import { type Bytes, type FileAnswer, type FileCall, type FileOperation, pathOf } from "./file-call.ts";
import { fileFailure } from "./inside/file-failure.ts";
import { shownPath } from "./inside/path-bytes.ts";
import { listFiles } from "./list-files.ts";
import { makeDirectory } from "./make-directory.ts";
import { moveFile } from "./move-file.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search/search-files.ts";
import { statFile } from "./stat-file.ts";
import { downloadTree } from "./tree/download-tree.ts";
import { uploadTree } from "./tree/upload-tree.ts";
import { watchFiles } from "./watch/watch-files.ts";
import { appendFile, writeFile } from "./write-file.ts";

const operations: Readonly<
  Record<FileOperation, (call: FileCall, body: Bytes, order: CommitOrder) => Promise<FileAnswer>>
> = {
  list: listFiles,
  stat: statFile,
  read: readFile,
  write: writeFile,
  append: appendFile,
  makeDirectory,
  move: moveFile,
  copy: copyFile,
  delete: deleteFile,
  download: downloadTree,
  upload: uploadTree,
  search: searchFiles,
  watch: watchFiles,
};

/** Does what is asked of files, with the rights of this process. */
export async function runFileCall(call: FileCall, body: Bytes, order: CommitOrder): Promise<FileAnswer> {
  const { path, pathBytes, from } = call.fields;
  if (path !== undefined && pathBytes !== undefined) {
    throw new Failure("invalid_request", "A path is given as path or as pathBytes, not both");
  }
  try {
    return await operations[call.operation](call, body, order);
  } catch (error) {
    throw fileFailure(error, from ?? shownPath(pathOf(call.fields)));
  }
}
