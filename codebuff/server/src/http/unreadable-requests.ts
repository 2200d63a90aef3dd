import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { refusalAnswer } from "../error-answer.ts";
import { Refusal } from "../refusal.ts";

/** Bytes that are no request: what Node refuses with an empty answer is refused in the form of every other error. */
export function refuseUnreadable(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => answering.set(request.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket);
    const isInAnswer = response?.headersSent === true && !response.writableFinished;
    // An answer that has begun must not have another one in it.
    if (error.code === "ECONNRESET" || isInAnswer) socket.destroy();
    else end(socket, refusals[error.code ?? ""] ?? new Refusal(400, "The request is not valid HTTP"));
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    end(socket, new Refusal(405, "This server is no proxy: it takes no CONNECT"));
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = refusalAnswer(new Refusal(417, "Only Expect: 100-continue can be met"), request);
    response
      .writeHead(status, { ...headers, "content-length": Buffer.byteLength(body), connection: "close" })
      .end(body);
  });
}

/** A Host or a path of which the framework can make no address. */
export function noAddress(): Refusal {
  return new Refusal(400, "The Host header and the path are no address");
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal(431, "The headers are larger than 16 KiB"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal(413, "The extensions of the chunks are larger than 16 KiB"),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, "The request did not come in time"),
};

/** Written to the connection itself, which ends though the client may stay. */
function end(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const { status, headers, body } = refusalAnswer(refusal, { headers: {} });
  const about = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries(about).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
