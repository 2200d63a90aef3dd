import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FileServer {
  url: string;
  /** Path → what is there: bytes, or what happens. */
  files: Map<string, Buffer | string | Handler>;
  /** Every path that was asked for, in order. */
  asked: string[];
  server: Server;
}

/** A real server on loopback. Files can be asked for in parts; what it does not have is 404. */
export async function startFileServer(files: Record<string, Buffer | string | Handler> = {}): Promise<FileServer> {
  const table = new Map(Object.entries(files));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const found = table.get(path);
    if (found === undefined) response.writeHead(404).end();
    else if (typeof found === "function") found(request, response);
    else sendFile(Buffer.from(found), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files: table, asked, server };
}

export const etag = '"the-file"';

/** The file, or the rest of it when that is asked for. */
function sendFile(content: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
  const start = from !== undefined && headers["if-range"] === etag ? Number(from) : 0;
  const part = content.subarray(start);
  const range = { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` };
  response.writeHead(start > 0 ? 206 : 200, { etag, "content-length": part.length, ...(start > 0 && range) });
  response.end(part);
}
