import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A server on loopback, and how it is ended. */
export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const upgradeWords = "The gateway takes no WebSocket: ask over HTTP";

/** Listens on loopback only. A page of a browser that found the port names another host and is sent away. */
export async function listen(port: number, handle: Handle): Promise<Listener> {
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: 10_000,
      // Bodies are watched while they are read.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      if (!isLocalHost(request.headers.host)) return answer(response, 403, "The gateway answers on loopback only");
      // Node ends a request that waits for 100-continue by itself.
      void handle(request, response);
    },
  );
  // Agents that would rather have a WebSocket take 426 for "use HTTP" (Codex 0.166).
  server.on("upgrade", (_: IncomingMessage, socket: Duplex) => endSocket(socket, "426 Upgrade Required", upgradeWords));
  server.on("connect", (_: IncomingMessage, socket: Duplex) => {
    endSocket(socket, "405 Method Not Allowed", "The gateway is no proxy: it takes no CONNECT");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else endSocket(socket, "400 Bad Request", "The request is not valid HTTP");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function isLocalHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host ?? "");
}

function answer(response: ServerResponse, status: number, message: string): void {
  const body = Buffer.from(JSON.stringify({ error: { message, type: "gateway_error" } }));
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body);
}

function endSocket(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ error: { message, type: "gateway_error" } });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.on("error", () => socket.destroy());
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}
