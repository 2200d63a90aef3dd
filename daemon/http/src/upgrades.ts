import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Failure } from "@muster/schema/wire";
import type { Grant } from "./access/grant.ts";
import { checkHost, checkOrigin, grantOf, type SecurityOptions } from "./access/security.ts";
import { failureOf } from "./answers/failure-of.ts";
import { endWithProblem } from "./answers/raw-problem.ts";
import type { RequestLog } from "./answers/request-log.ts";
import { type Target, targetOf } from "./operations/target.ts";

/** A request to speak another protocol over its connection, which has passed every check. */
export interface Upgrade extends Target {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly grant: Grant;
}

export interface UpgradeOptions {
  security: SecurityOptions;
  log: RequestLog;
  isClosing(): boolean;
  onTrusted(socket: Socket): void;
  /** Whether somebody with no token may ask for this path, because the path itself lets in. */
  grantOfPath?(path: string): Grant | undefined;
  /** Takes the connection, or throws a Failure. */
  take(upgrade: Upgrade): Promise<void>;
}

/** Requests for WebSockets, behind the same checks as all others: host, origin, token or ticket. */
export function takeUpgrades(server: Server, options: UpgradeOptions): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    void answer(request, socket, head, options).catch((error: unknown) => {
      endWithProblem(socket, failureOf(error, options.log));
    });
  });
}

async function answer(request: IncomingMessage, socket: Duplex, head: Buffer, options: UpgradeOptions): Promise<void> {
  const { security, isClosing, onTrusted, take, grantOfPath } = options;
  checkHost(request, security);
  const { path, query } = targetOf(request);
  const byPath = grantOfPath?.(path);
  // What a path lets in comes from a page of no origin; it has shown what only its owner knows.
  if (byPath === undefined) checkOrigin(request, security);
  const grant = byPath ?? grantOf(request, query.ticket ?? null, security);
  onTrusted(request.socket);
  if (isClosing()) throw new Failure("shutting_down", "The daemon is shutting down");
  await take({ request, socket, head, path, query, grant });
}
