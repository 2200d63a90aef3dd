import type { Directory } from "../inside/directory.ts";
import { IgnoreFile } from "../names/ignore-file.ts";
import { bytesOf, openFile } from "../read-file.ts";

const mostBytes = 256 * 1024;
const fileName = Buffer.from(".gitignore");
const git = Buffer.from(".git");

interface Depth {
  readonly depth: number;
  readonly file: IgnoreFile;
}

/** What the `.gitignore` files name, from where the walk began down to one directory. */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  /** The deepest first: the first that says anything decides. */
  readonly #files: readonly Depth[];

  private constructor(files: readonly Depth[]) {
    this.#files = files;
  }

  /** With those of a directory that is so many names below the beginning. */
  async with(directory: Directory, depth: number): Promise<IgnoreRules> {
    const text = await textOf(directory);
    return text === undefined ? this : new IgnoreRules([{ depth, file: new IgnoreFile(text) }, ...this.#files]);
  }

  /** Whether what has these names is left out. */
  leaveOut(names: readonly Buffer[], isDirectory: boolean): boolean {
    if (names.at(-1)?.equals(git)) return true;
    for (const { depth, file } of this.#files) {
      const path = names.slice(depth).map((name) => name.toString("utf8"));
      const said = file.says(path, isDirectory);
      if (said !== undefined) return said;
    }
    return false;
  }
}

async function textOf(directory: Directory): Promise<string | undefined> {
  try {
    const opened = await openFile(directory, fileName);
    const { size } = await opened.stat();
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(opened, 0, Math.min(size, mostBytes))) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  } catch {
    // There is none, or none that could be read: then it says nothing.
    return undefined;
  }
}
