import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "muster-amp-life-";
const ours = /^muster-amp-life-(\d+)-\w{6}$/;

/** The socket in such a folder; as long as somebody listens at it, the folder is in use. */
export const socketIn = (folder: string) => join(folder, "socket");

/** A folder for this process alone, with a path short enough for a socket. Those of daemons that were killed are removed. */
export async function makeShortFolder(): Promise<string> {
  const usual = tmpdir();
  // The path of a socket holds 103 characters on macOS.
  const place = usual.length <= 60 ? usual : "/tmp";
  await removeDeadFolders(place);
  return mkdtemp(join(place, `${prefix}${process.pid}-`));
}

async function removeDeadFolders(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, pid] = ours.exec(name) ?? [];
    const path = join(place, name);
    if (pid === undefined || (await isInUse(path, Number(pid)))) continue;
    // One of another user's daemon stays: it is not ours to remove.
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const youngMs = 60_000;

async function isInUse(path: string, pid: number): Promise<boolean> {
  if (await isListening(socketIn(path))) return true;
  const made = await stat(path).catch(() => undefined);
  // Its daemon may be about to listen.
  return made !== undefined && isAlive(pid) && Date.now() - made.mtimeMs < youngMs;
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const tell = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    connection.once("connect", () => tell(true));
    connection.once("error", ({ code }: NodeJS.ErrnoException) => tell(code === "EACCES"));
    connection.setTimeout(1_000, () => tell(true));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
