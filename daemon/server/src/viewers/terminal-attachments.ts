import type { Duplex } from "node:stream";
import { checkScope, type Upgrade } from "@muster/http";
import type { Processes, Terminals, ViewerSocket } from "@muster/sandbox";
import { covers, Failure } from "@muster/schema/wire";
import type { WebSocket, WebSocketServer } from "ws";
import { VisibleProcesses } from "../engine/visible-processes.ts";
import { VisibleSessions } from "../engine/visible-sessions.ts";

interface AttachmentsOptions {
  engine: ConstructorParameters<typeof VisibleSessions>[0];
  processes(): Promise<Processes>;
  terminals(): Promise<Terminals>;
  /** Calls `end` once when an access token no longer lets in; the returned function takes that back. */
  onTokenEnd(tokenId: string, end: () => void): () => void;
}

const form = /^(?:\/v1)?\/processes\/([^/]+)\/attach$/;
/** Of one message: a paste is the longest a person sends. */
const mostMessageBytes = 1024 * 1024;

/** Viewers of terminals: `/processes/{id}/attach`, a WebSocket. */
export class TerminalAttachments {
  readonly #options: AttachmentsOptions;
  readonly #sockets = new Set<Duplex>();
  #server: Promise<WebSocketServer> | undefined;

  constructor(options: AttachmentsOptions) {
    this.#options = options;
  }

  /** Throws where there is no such terminal, or it is none of theirs. */
  async take({ request, socket, head, path, query, grant }: Upgrade): Promise<void> {
    const [, processId] = form.exec(path) ?? [];
    if (processId === undefined) throw new Failure("not_found", `There is no WebSocket at ${path}`);
    checkScope(grant, "read");
    if (grant.only !== undefined) throw new Failure("scope_required", `This token is for ${grant.only} alone`);
    const sessions = new VisibleSessions(this.#options.engine, grant);
    const processes = new VisibleProcesses(await this.#options.processes(), sessions, grant);
    const process = await processes.get(processId);
    if (process.record.pty === undefined) {
      throw new Failure("no_terminal", `Process ${processId} has no terminal`, { processId });
    }
    const offset = offsetOf(query.offset);
    const writes = writingOf(query.write, covers(grant.scope, "work"));
    const terminals = await this.#options.terminals();
    this.#server ??= import("ws").then(
      ({ WebSocketServer }) =>
        new WebSocketServer({ noServer: true, maxPayload: mostMessageBytes, perMessageDeflate: false }),
    );
    const server = await this.#server;
    server.handleUpgrade(request, socket, head, (connection) => {
      this.#sockets.add(socket);
      const end = () => connection.close(4401, "The token lets in no more");
      const forget = grant.tokenId === undefined ? undefined : this.#options.onTokenEnd(grant.tokenId, end);
      connection.once("close", () => {
        this.#sockets.delete(socket);
        forget?.();
      });
      terminals.attach(process, { socket: viewerSocket(connection), offset, writes }).catch((error: unknown) => {
        connection.close(1011, error instanceof Failure ? error.message.slice(0, 120) : "Something is broken");
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function viewerSocket(connection: WebSocket): ViewerSocket {
  // A connection that breaks is closed; that is told by its end.
  connection.on("error", () => connection.terminate());
  return {
    sendBytes: (bytes) => connection.send(bytes, { binary: true }),
    sendText: (text) => connection.send(text),
    get unsent() {
      return connection.bufferedAmount;
    },
    onBytes: (listener) =>
      void connection.on("message", (data, isBinary) => {
        if (isBinary) listener(Buffer.isBuffer(data) ? data : Buffer.concat(data as Buffer[]));
      }),
    onText: (listener) =>
      void connection.on("message", (data, isBinary) => {
        if (!isBinary) listener(String(data));
      }),
    onClose: (listener) => void connection.once("close", listener),
    close: (code, reason) => connection.close(code, reason),
  };
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure("invalid_request", `offset is a number of bytes, not ${text}`);
}

function writingOf(wish: string | undefined, mayWrite: boolean): "yes" | "no" | "alone" {
  if (wish !== undefined && !["yes", "no", "alone"].includes(wish)) {
    throw new Failure("invalid_request", `write is yes, no or alone, not ${wish}`);
  }
  if (wish === "alone" && !mayWrite) throw new Failure("scope_required", "Writing takes the scope work");
  return mayWrite ? ((wish ?? "yes") as "yes" | "no" | "alone") : "no";
}
