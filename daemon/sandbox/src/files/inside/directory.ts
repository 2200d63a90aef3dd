import { type BigIntStats, constants } from "node:fs";
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  statfs,
  symlink,
  unlink,
} from "node:fs/promises";
import { Failure } from "@muster/schema/wire";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Opens a name without opening what it names: needs no right to read. Node has no word for it. */
const pathOnly = process.platform === "linux" ? 0o10000000 : 0;
/** What statfs(2) says of /proc, where links lead to every place of the machine and files tell its secrets. */
const procType = 0x9fa0;

/** The names of a directory that is open: whatever is done to the path that led to it, they are looked up in it. */
export class Directory {
  readonly #handle: FileHandle;
  readonly #denied: readonly string[];
  readonly device: bigint;

  private constructor(handle: FileHandle, device: bigint, denied: readonly string[]) {
    this.#handle = handle;
    this.device = device;
    this.#denied = denied;
  }

  /** A directory by its absolute path, each name of which must be a directory and no link. */
  static async openPath(names: readonly Buffer[], denied: readonly string[]): Promise<Directory> {
    if (process.platform !== "linux") {
      throw new Failure("files_unavailable", "Files are given on Linux alone: nowhere else can links be ruled out");
    }
    let handle = await open("/", O_RDONLY | O_DIRECTORY | pathOnly);
    for (const name of names) {
      const above = handle;
      try {
        handle = await open(inside(above, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | pathOnly);
      } finally {
        await above.close();
      }
    }
    return await Directory.#checked(handle, undefined, denied);
  }

  /** The one way down: a link in the place of the directory is refused, and so is what is never entered. */
  async openDirectory(name: Buffer): Promise<Directory> {
    const handle = await open(this.#at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | pathOnly);
    return await Directory.#checked(handle, this.device, this.#denied);
  }

  static async #checked(handle: FileHandle, above: bigint | undefined, denied: readonly string[]): Promise<Directory> {
    try {
      const { dev, ino } = await handle.stat({ bigint: true });
      const isOther = dev !== above;
      if (denied.includes(`${dev}:${ino}`)) {
        throw new Failure("path_outside_roots", "The daemon's own directory is not reached through it");
      }
      if (isOther && (await statfs(`/proc/self/fd/${handle.fd}`)).type === procType) {
        throw new Failure("path_outside_roots", "What the system tells of processes is not reached through it");
      }
      return new Directory(handle, dev, denied);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The same directory once more, to be closed for itself. */
  async again(): Promise<Directory> {
    return await Directory.#checked(
      await open(this.path, O_RDONLY | O_DIRECTORY | pathOnly),
      this.device,
      this.#denied,
    );
  }

  /** Opens a file that is there, or with O_CREAT one that is made; never through a link, never waiting for a pipe. */
  open(name: Buffer, flags: number, mode?: number): Promise<FileHandle> {
    return open(this.#at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
  }

  /** Of the name itself; undefined where there is none. */
  async find(name: Buffer): Promise<BigIntStats | undefined> {
    try {
      return await lstat(this.#at(name), { bigint: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Of the directory itself. */
  stat(): Promise<BigIntStats> {
    return this.#handle.stat({ bigint: true });
  }

  /** Sorted by their bytes. */
  async names(): Promise<Buffer[]> {
    const names = await readdir(Buffer.from(this.path), { encoding: "buffer" });
    return names.sort(Buffer.compare);
  }

  readLink(name: Buffer): Promise<Buffer> {
    return readlink(this.#at(name), { encoding: "buffer" });
  }

  makeDirectory(name: Buffer, mode = 0o777): Promise<unknown> {
    return mkdir(this.#at(name), { mode });
  }

  makeLink(name: Buffer, target: Buffer): Promise<void> {
    return symlink(target, this.#at(name));
  }

  /** A second name; fails where there is one already. */
  linkTo(name: Buffer, other: Directory, otherName: Buffer): Promise<void> {
    return link(this.#at(name), other.#at(otherName));
  }

  rename(name: Buffer, other: Directory, otherName: Buffer): Promise<void> {
    return rename(this.#at(name), other.#at(otherName));
  }

  unlink(name: Buffer): Promise<void> {
    return unlink(this.#at(name));
  }

  removeDirectory(name: Buffer): Promise<void> {
    return rmdir(this.#at(name));
  }

  /** Of the directory itself. */
  setMode(mode: number): Promise<void> {
    return chmod(this.path, mode);
  }

  /** Opened to be read: for what a descriptor that only names it cannot do, such as being synced. */
  openItself(): Promise<FileHandle> {
    return open(this.path, O_RDONLY | O_DIRECTORY);
  }

  /** As long as it is open: a path that leads to it whatever happens to its names. */
  get path(): string {
    return `/proc/self/fd/${this.#handle.fd}`;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #at(name: Buffer): Buffer {
    return inside(this.#handle, name);
  }
}

function inside(handle: FileHandle, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${handle.fd}/`), name]);
}
