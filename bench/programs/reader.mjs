/**
 * Raw TCP readers of one path: count the frames, end at a text. Told by one message
 * `{ port, path, readers, until }`; says `open`, then `done { frames, bytes, ms }`, or `failed`.
 */
import { connect } from "node:net";

/** Fewer than the backlog of a listening socket. */
const wave = 100;

process.once("message", (order) => {
  read(order).catch((error) => process.send({ type: "failed", message: String(error) }));
});
process.once("disconnect", () => process.exit(0));

async function read({ port, path, readers, until }) {
  const started = performance.now();
  const all = [];
  while (all.length < readers) {
    const some = Array.from({ length: Math.min(wave, readers - all.length) }, () => openReader({ port, path, until }));
    all.push(...some);
    await Promise.all(some.map(({ opened }) => opened));
  }
  process.send({ type: "open" });
  if (until === undefined) return;
  const ends = await Promise.all(all.map(({ done }) => done));
  const ms = performance.now() - started;
  const sum = (name) => ends.reduce((total, end) => total + end[name], 0);
  process.send({ type: "done", frames: sum("frames"), bytes: sum("bytes"), ms });
}

function openReader({ port, path, until }) {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`);
  const frames = counter("\ndata: ");
  const end = until === undefined ? undefined : counter(until);
  let bytes = 0;
  let isOpen = false;
  let settle;
  const opened = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  const done = new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`The stream of ${path} ended early`)));
    socket.on("data", (chunk) => {
      if (!isOpen) {
        isOpen = true;
        if (chunk.toString("latin1", 0, 12) === "HTTP/1.1 200") settle.resolve();
        else settle.reject(new Error(`${path} → ${chunk}`));
      }
      bytes += chunk.length;
      frames.add(chunk);
      if (!end?.add(chunk)) return;
      resolve({ frames: frames.count, bytes });
      socket.destroy();
    });
  });
  done.catch((error) => settle.reject(error));
  return { opened, done };
}

/** Counts a text in a stream of chunks, also where it lies across two of them. */
function counter(text) {
  const needle = Buffer.from(text);
  const overlap = needle.length - 1;
  let before = Buffer.alloc(0);
  return {
    count: 0,
    add(chunk) {
      const seam = Buffer.concat([before, chunk.subarray(0, overlap)]);
      if (seam.includes(needle)) this.count++;
      for (let at = chunk.indexOf(needle); at >= 0; at = chunk.indexOf(needle, at + needle.length)) this.count++;
      before = (chunk.length >= overlap ? chunk : seam).subarray(-overlap);
      return this.count > 0;
    },
  };
}
