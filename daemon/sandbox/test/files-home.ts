import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AllowedRoots,
  type FileAnswer,
  type FileFields,
  type FileHeaders,
  type FileOperation,
  FilesDoor,
} from "../src/index.ts";

/** A throw-away root with something beside it that nobody may reach. */
export class FilesHome {
  readonly path: string;
  readonly root: string;
  readonly outside: string;
  readonly #door = new FilesDoor();
  readonly #allowed: AllowedRoots;

  static async make(): Promise<FilesHome> {
    return new FilesHome(await realpath(await mkdtemp(join(tmpdir(), "muster-files-"))));
  }

  private constructor(path: string) {
    this.path = path;
    this.root = join(path, "root");
    this.outside = join(path, "outside");
    this.#allowed = new AllowedRoots(undefined, []);
  }

  /** As over HTTP with the root as the directory of a session. */
  async run(
    operation: FileOperation,
    fields: FileFields = {},
    { headers = {}, body }: { headers?: FileHeaders; body?: AsyncIterable<Uint8Array> } = {},
  ): Promise<FileAnswer> {
    const reach = await this.#allowed.within(this.root, []);
    return await this.#door.run({ operation, reach, fields, headers }, body);
  }

  async value<T = Record<string, unknown>>(...call: Parameters<FilesHome["run"]>): Promise<T> {
    const answer = await this.run(...call);
    if (answer.kind !== "value") throw new Error(`it answered with ${answer.kind}`);
    return answer.value as T;
  }

  async *bytes(...call: Parameters<FilesHome["run"]>): AsyncGenerator<Uint8Array> {
    const answer = await this.run(...call);
    if (answer.kind !== "bytes") throw new Error(`it answered with ${answer.kind}`);
    yield* answer.bytes;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

export async function* piecesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

export async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}
