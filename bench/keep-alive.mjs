/** One kept-open connection that asks one thing at a time, with as little of its own in the time as possible. */
import { once } from "node:events";
import { connect } from "node:net";

export async function keepAlive(port) {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setNoDelay(true);
  await once(socket, "connect");
  let answered;
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /^content-length: (\d+)/im.exec(text)?.[1];
    const isWhole = length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= head + 4 + Number(length);
    if (isWhole) answered?.resolve(text);
  });
  socket.on("error", (error) => answered?.reject(error));
  socket.on("close", () => answered?.reject(new Error("The connection was closed")));
  return {
    /** The whole answer as text. */
    ask(method, path, body) {
      const bytes = body === undefined ? "" : JSON.stringify(body);
      const type = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n`;
      text = "";
      const answer = new Promise((resolve, reject) => {
        answered = { resolve, reject };
      });
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${type}\r\n${bytes}`);
      return answer;
    },
    close: () => socket.destroy(),
  };
}

const longestText = 200;

/** Opens a stream and waits for a text in it, again and again. */
export async function watchStream(port, path) {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let seen = "";
  let wanted;
  socket.on("data", (chunk) => {
    seen += chunk.toString("latin1");
    if (wanted === undefined || !seen.includes(wanted.text)) {
      // The text may lie across two chunks; more of a long stream would be looked through again and again.
      seen = seen.slice(-longestText);
      return;
    }
    seen = "";
    wanted.resolve();
    wanted = undefined;
  });
  socket.on("error", (error) => wanted?.reject(error));
  await once(socket, "data");
  return {
    saw: (text) =>
      new Promise((resolve, reject) => {
        seen = "";
        wanted = { text, resolve, reject };
      }),
    close: () => socket.destroy(),
  };
}
