import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { EngineLog } from "../engine-log.ts";
import { makeFolder } from "./durable-file.ts";
import { Fence, readEpoch, writeEpoch } from "./fence.ts";
import type { Layout } from "./layout.ts";
import { checkLockFile, showLockFile, takeLockFile } from "./lock-file.ts";
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
    const held = await takeWriterSocket(layout.writer);
    return await showToOlderDaemons(layout, held);
  } catch (error) {
    if (!noSockets.has((error as NodeJS.ErrnoException).code)) throw error;
    log("warn", "the data directory's disk cannot hold sockets; two starts at the same moment are not told apart", {
      error: String(error),
    });
    return takeFile(layout);
  }
}

/** What a disk says that knows no sockets, or no second name for one. Every daemon on this disk hears the same. */
const noSockets: ReadonlySet<string | undefined> = new Set(["EOPNOTSUPP", "ENOTSUP", "EPERM", "ENOSYS"]);

/** Daemons up to 0.1 know only the lock file: theirs is honoured, and ours is there for them to see. */
async function showToOlderDaemons({ lock }: Layout, held: HeldDirectory): Promise<HeldDirectory> {
  try {
    await checkLockFile(lock);
    await showLockFile(lock);
  } catch (error) {
    await held.release();
    throw error;
  }
  const release = async () => {
    await rm(lock, { force: true });
    await held.release();
  };
  return { epoch: held.epoch, release };
}

async function takeFile({ lock, writer }: Layout): Promise<HeldDirectory> {
  const release = await takeLockFile(lock);
  const epoch = (await readEpoch(join(writer, "epoch"))) + 1;
  await writeEpoch(join(writer, "epoch"), epoch);
  return { epoch, release };
}
