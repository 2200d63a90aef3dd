import { FilesOfUser, type UserProgram } from "./as-user/files-of-user.ts";
import { commitOrder } from "./commit-order.ts";
import type { Bytes, FileAnswer, FileCall } from "./file-call.ts";
import { runFileCall } from "./run-file-call.ts";

export interface FilesDoorOptions {
  /** Files are those this user may reach; without it those of the process. */
  readonly user?: UserProgram | undefined;
}

/** The one door to files. Bytes and changes of an answer are to be read to their end, or begun and returned. */
export class FilesDoor {
  readonly #order = commitOrder();
  readonly #ofUser: FilesOfUser | undefined;

  constructor({ user }: FilesDoorOptions = {}) {
    this.#ofUser = user === undefined ? undefined : new FilesOfUser(user, this.#order);
  }

  run(call: FileCall, body: Bytes = nothing()): Promise<FileAnswer> {
    return this.#ofUser?.run(call, body) ?? runFileCall(call, body, this.#order);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
