import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { link, open, readdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { DirectoryInUse } from "./directory-in-use.ts";
import { readEpoch, writeEpoch } from "./fence.ts";

/** Who answers on the socket of a writer. */
interface Holder {
  pid: number;
  host: string;
  pidSpace: string;
}

type Answer = { is: "dead" } | { is: "alive"; holder?: Holder };

export interface HeldDirectory {
  epoch: number;
  release(): Promise<void>;
}

const numbered = /^writer-(\d+)$/;
const silenceMs = 1_000;
const attempts = 100;

/**
 * One writer, held by the kernel: who listens on the highest number is alive, across pid and network namespaces. A
 * number is taken by link(2), so by one only, and only when the holder of the number before is dead; the socket of a
 * dead process never answers again.
 */
export async function takeWriterSocket(folder: string): Promise<HeldDirectory> {
  const directory = await open(folder, "r");
  // The path of a socket has 107 bytes at most; through the descriptor every folder is near.
  const at = (name: string) => `/proc/self/fd/${directory.fd}/${name}`;
  const own = `own-${randomBytes(8).toString("hex")}`;
  let server: Server | undefined;
  const giveUp = async () => {
    if (server) await closeServer(server);
    await rm(join(folder, own), { force: true });
    await directory.close();
  };
  try {
    server = await listen(at(own));
    const epoch = await takeNumber(folder, own, at);
    await rm(join(folder, own), { force: true });
    const release = async () => {
      await rm(join(folder, `writer-${epoch}`), { force: true });
      await giveUp();
    };
    return { epoch, release };
  } catch (error) {
    await giveUp();
    throw error;
  }
}

async function takeNumber(folder: string, own: string, at: (name: string) => string): Promise<number> {
  const epochFile = join(folder, "epoch");
  for (let attempt = 0; attempt < attempts; attempt++) {
    const names = await readdir(folder);
    const taken = names.map((name) => Number(numbered.exec(name)?.[1] ?? 0));
    const highest = Math.max(await readEpoch(epochFile), ...taken);
    const answer = await ask(at(`writer-${highest}`));
    if (answer.is === "alive") throw new DirectoryInUse(`The data directory is in use by ${describe(answer.holder)}`);
    const mine = highest + 1;
    const name = `writer-${mine}`;
    try {
      await link(join(folder, own), join(folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    // A latecomer on a number that was used and removed meanwhile.
    if ((await readEpoch(epochFile)) >= mine) {
      await rm(join(folder, name), { force: true });
      continue;
    }
    // Before the older names go: whoever comes late must find the number.
    await writeEpoch(epochFile, mine);
    await removeOthers(folder, mine, at);
    return mine;
  }
  throw new DirectoryInUse("Too many daemons want the data directory at once");
}

/** Older numbers, and the own names of processes that died before they took one. */
async function removeOthers(folder: string, mine: number, at: (name: string) => string): Promise<void> {
  for (const name of await readdir(folder)) {
    const number = Number(numbered.exec(name)?.[1] ?? mine);
    const isLeftOver = name.startsWith("own-") && (await ask(at(name))).is === "dead";
    if (number < mine || isLeftOver) await rm(join(folder, name), { force: true });
  }
}

async function listen(path: string): Promise<Server> {
  const me: Holder = { pid: process.pid, host: hostname(), pidSpace: pidSpace() };
  const server = createServer((socket) => {
    // Whoever asked may be gone.
    socket.on("error", () => {});
    socket.end(JSON.stringify(me));
  });
  server.listen(path);
  await once(server, "listening");
  return server.unref();
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Everything but a clear no means that somebody is there: a stopped process, a full backlog, a forbidden socket. */
async function ask(path: string): Promise<Answer> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await askOnce(path);
    if (answer) return answer;
  }
  return { is: "alive" };
}

/** undefined when it hung up without a word: it may just have died. */
function askOnce(path: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = "";
    const settle = (answer: Answer | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(silenceMs, () => settle({ is: "alive" }));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("end", () =>
      settle(text === "" ? undefined : { is: "alive", holder: parseJson(text) as Holder | undefined }),
    );
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED" || code === "ENOENT") settle({ is: "dead" });
      else settle(code === "ECONNRESET" || code === "EPIPE" ? undefined : { is: "alive" });
    });
  });
}

function describe(holder: Holder | undefined): string {
  if (!holder) return "another process, which does not answer";
  const isElsewhere = holder.pidSpace !== pidSpace();
  return `process ${holder.pid}${isElsewhere ? ` of another container (host ${holder.host})` : ""}`;
}

function pidSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Without it, everybody is taken for a neighbour.
    return "";
  }
}
