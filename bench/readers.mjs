/** SSE readers in a process of their own, so that their CPU counts for nobody. */
import { programs, startProgram, stop } from "./processes.mjs";

const waitMs = 300_000;

/**
 * Connects; resolves when every reader has its headers.
 * @param {{ port: number, path: string, readers?: number, until?: string }} options `until` ends a reader
 */
export async function openReaders({ port, path, readers = 1, until }) {
  const child = startProgram(programs.reader);
  const opened = message(child, "open");
  const done = message(child, "done");
  // Asked for only where something is to end the readers.
  done.catch(() => {});
  child.send({ port, path, readers, until });
  await opened;
  return { pid: child.pid, done, close: () => stop(child) };
}

/** Reads once from the first byte to `until`. The time is that of the reader, from its first SYN on. */
export async function readOnce(options) {
  const readers = await openReaders(options);
  try {
    return await readers.done;
  } finally {
    await readers.close();
  }
}

function message(child, type) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No reader said ${type} within ${waitMs} ms`)), waitMs);
    timer.unref();
    child.on("message", (said) => {
      if (said.type === "failed") reject(new Error(said.message));
      if (said.type !== type) return;
      clearTimeout(timer);
      resolve(said);
    });
    child.once("exit", () => reject(new Error(`The readers ended before they said ${type}`)));
  });
}
