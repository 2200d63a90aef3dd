/**
 * What `node:http` costs without us. `bare-server.mjs [file]`:
 * GET /health a constant · GET /file the file · GET /open an endless response · POST /send the file to all of those.
 */
import { once } from "node:events";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";

const [file] = process.argv.slice(2);
const pieceBytes = 64 * 1024;
const open = new Set();
const events = { "content-type": "text/event-stream" };

const routes = {
  "GET /health": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"status":"ok"}');
  },
  "GET /file": (_, response) => {
    // With its length: chunked, the pieces of the file would be torn apart in the middle of a frame.
    response.writeHead(200, { ...events, "content-length": statSync(file).size });
    createReadStream(file).pipe(response);
  },
  "GET /open": (_, response) => {
    response.writeHead(200, events);
    response.flushHeaders();
    open.add(response);
    response.once("close", () => open.delete(response));
  },
  "POST /send": async (_, response) => {
    await sendToAll();
    response.end();
  },
};

const server = createServer((request, response) => {
  const route = routes[`${request.method} ${request.url}`];
  if (route) void route(request, response);
  else response.writeHead(404).end();
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}\n`);
});
process.stdin.once("end", () => process.exit(0)).resume();

async function sendToAll() {
  for (const piece of pieces(readFileSync(file))) {
    const full = [...open].filter((response) => !response.write(piece));
    await Promise.all(full.map((response) => Promise.race([once(response, "drain"), once(response, "close")])));
  }
}

/** Whole frames, about 64 KiB each, as a daemon writes them. */
function* pieces(bytes) {
  for (let start = 0; start < bytes.length; ) {
    const cut = bytes.indexOf("\n\n", start + pieceBytes);
    const end = cut < 0 ? bytes.length : cut + 2;
    yield bytes.subarray(start, end);
    start = end;
  }
}
