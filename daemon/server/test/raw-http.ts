import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they are and reads until the other side is done. For requests no HTTP client would make. */
export function rawRequest(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
      if (Number.isNaN(status)) reject(new Error(`no answer but ${JSON.stringify(text)}`));
      else resolve({ status, head: head.toLowerCase(), body: rest.join("\r\n\r\n") });
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const length = text.startsWith("HTTP/1.1 204") ? "0" : /content-length: (\d+)/i.exec(text)?.[1];
      const body = text.indexOf("\r\n\r\n") + 4;
      if (length !== undefined && body >= 4 && Buffer.byteLength(text.slice(body)) >= Number(length)) done();
    });
    // A server may stop reading what it refuses; what it said before counts.
    socket.on("error", () => {});
    socket.on("close", done);
  });
}
