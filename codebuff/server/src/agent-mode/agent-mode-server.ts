import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { isBusy } from "@muster/sql";
import { type WebSocket, WebSocketServer } from "ws";
import { refuseBanned } from "../admission/ban.ts";
import { knowUser } from "../admission/user.ts";
import { pathOf } from "../error-answer.ts";
import { errorFields } from "../log.ts";
import { databaseBusy, Refusal, refusalBody } from "../refusal.ts";
import type { Service } from "../service.ts";
import { AgentConnection } from "./agent-connection.ts";

const path = "/api/v1/agent-mode";
const mostMessageBytes = 16 * 1024 * 1024;
/** Of one account on one instance. */
const mostSockets = 64;
const restarting = 1012;

export interface AgentModeServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** `GET /api/v1/agent-mode`: the gates about the person come before the upgrade. */
export function agentModeServer(service: Service): AgentModeServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostMessageBytes, perMessageDeflate: false });
  const missed = new WeakMap<WebSocket, number>();
  const open = new Map<string, number>();
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      const count = (missed.get(socket) ?? 0) + 1;
      missed.set(socket, count);
      if (count > 2) socket.terminate();
      else socket.ping();
    }
  }, service.times.pingMs);
  return {
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      void accept(request).then(
        (user) => {
          sockets.handleUpgrade(request, socket, head, (opened) => {
            opened.on("pong", () => missed.set(opened, 0));
            open.set(user.id, (open.get(user.id) ?? 0) + 1);
            opened.on("close", () => {
              const left = (open.get(user.id) ?? 1) - 1;
              if (left > 0) open.set(user.id, left);
              else open.delete(user.id);
            });
            new AgentConnection(opened, user, service);
          });
        },
        (error: unknown) => refuse(request, socket, error),
      );
    },
    close() {
      clearInterval(pings);
      for (const socket of sockets.clients) socket.close(restarting, "the server restarts");
      sockets.close();
    },
  };

  async function accept(request: IncomingMessage) {
    if (pathOf(request) !== path) throw new Refusal(404, "There is nothing here");
    const user = await knowUser(request.headers, service);
    refuseBanned(user);
    if ((open.get(user.id) ?? 0) >= mostSockets) {
      throw new Refusal(429, `More than ${mostSockets} connections of one account`, { code: "too_many_requests" });
    }
    return user;
  }

  function refuse(request: IncomingMessage, socket: Duplex, error: unknown): void {
    const broken = () => (isBusy(error) ? databaseBusy() : new Refusal(500, "Something is broken here"));
    const refusal = error instanceof Refusal ? error : broken();
    if (refusal !== error) service.log("error", "an upgrade failed", errorFields(error));
    const body = JSON.stringify(refusalBody(refusal, request.headers));
    const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`;
    const length = Buffer.byteLength(body);
    // A client that does not close its side would keep the connection open.
    socket.end(
      `${head}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  }
}
