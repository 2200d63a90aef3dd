import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "@muster/core";

export interface ListenOptions {
  readonly host?: string | undefined;
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Ends open replies and connections. Safe to call twice. */
  close(): Promise<void>;
}

/** Answers one request. `signal` fires when the client goes away or the server closes. */
export type Handler = (request: IncomingMessage, response: ServerResponse, signal: AbortSignal) => Promise<void>;

/** An HTTP server whose end is the end of everything it does. */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? "127.0.0.1";
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    const handled = handler(request, response, gone.signal)
      .catch((error: unknown) => breakDown(response, error))
      .finally(() => running.delete(handled));
    running.add(handled);
  });
  // Agents keep streams open for minutes; only a silent client is let go.
  server.requestTimeout = 0;
  // Node's 5 s cuts idle connections just as an agent reuses them between two tools.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    close: () => {
      closing ??= (async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
        await Promise.all(running);
      })();
      return closing;
    },
  };
}

function breakDown(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = messageOf(error);
  response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: `scripted-llm broke: ${message}`, type: "server_error" } }));
}
