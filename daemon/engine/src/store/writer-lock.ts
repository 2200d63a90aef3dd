import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { takePidLock } from "@muster/node";
import type { EngineLog } from "../engine-log.ts";
import { DirectoryInUse } from "./directory-in-use.ts";
import { makeFolder } from "./durable-file.ts";
import { Fence, readEpoch, writeEpoch } from "./fence.ts";
import type { Layout } from "./layout.ts";
import { type HeldDirectory, takeWriterSocket } from "./writer-socket.ts";

/** The right to write in a data directory. */
export interface WriterLock {
  fence: Fence;
  release(): Promise<void>;
}

/** Takes the data directory for this process, or throws DirectoryInUse and says who has it. */
export async function lockDirectory(layout: Layout, log: EngineLog): Promise<WriterLock> {
  await makeFolder(layout.writer);
  const held = await take(layout, log);
  const fence = new Fence(join(layout.writer, "epoch"), held.epoch);
  const release = async () => {
    fence.close();
    await held.release();
  };
  return { fence, release };
}

async function take(layout: Layout, log: EngineLog): Promise<HeldDirectory> {
  if (process.platform !== "linux") return takeFile(layout);
  try {
    return await takeWriterSocket(layout.writer);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!noSockets.has(code) && !(code === "EACCES" && (await hasNoWriter(layout.writer)))) throw error;
    log("warn", "the data directory cannot be held by a socket; a lock file holds it instead", {
      error: String(error),
    });
    return takeFile(layout);
  }
}

/** What a disk says that knows no sockets, or no second name for one. Every daemon on this disk hears the same. */
const noSockets: ReadonlySet<string | undefined> = new Set(["EOPNOTSUPP", "ENOTSUP", "EPERM", "ENOSYS"]);

/**
 * A kernel wall around this process refuses sockets to it and not to others (EACCES, as for a directory that cannot be
 * written, where the lock file fails too). Another daemon's socket can then not be asked, so there must be none.
 */
async function hasNoWriter(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => ["unreadable"]);
  return !names.some((name) => /^(?:writer-|unreadable)/.test(name));
}

/** Where the kernel cannot hold a lock for us: the lock file of this process. */
async function takeFile({ lock: path, writer }: Layout): Promise<HeldDirectory> {
  const lock = await takePidLock(path);
  if (!("release" in lock)) {
    const holder = lock.heldBy === undefined ? "another process" : `process ${lock.heldBy}`;
    throw new DirectoryInUse(`The data directory is in use by ${holder}`);
  }
  const epoch = (await readEpoch(join(writer, "epoch"))) + 1;
  await writeEpoch(join(writer, "epoch"), epoch);
  return { epoch, release: lock.release };
}
