import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "@muster/schema/wire";
import { endWithProblem } from "../answers/raw-problem.ts";

export interface ConnectionLimits {
  connections: number;
  /** Of one address, before a request that may be answered has come over them. */
  strangersPerAddress: number;
}

/**
 * Keeps connections from using up the descriptors that agents and the log need. Whoever has not shown a token yet makes
 * room, the oldest first: a crowd of silent connections keeps nobody out.
 */
export class ConnectionGate {
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<Socket>();
  readonly #strangers = new Map<string, Set<Socket>>();

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on("connection", (socket) => this.#enter(socket));
  }

  trust(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const strangers = this.#strangers.get(address);
    if (strangers?.delete(socket) && strangers.size === 0) this.#strangers.delete(address);
  }

  #enter(socket: Socket): void {
    const { connections, strangersPerAddress } = this.#limits;
    // Kept: a closed socket no longer knows it.
    const address = socket.remoteAddress ?? "";
    const strangers = this.#strangers.get(address) ?? new Set();
    if (strangers.size >= strangersPerAddress) this.#send(first(strangers), address);
    if (this.#open.size >= connections && !this.#makeRoom()) {
      endWithProblem(socket, tooMany(connections));
      return;
    }
    this.#open.add(socket);
    strangers.add(socket);
    this.#strangers.set(address, strangers);
    socket.once("close", () => this.#leave(socket, address));
  }

  #makeRoom(): boolean {
    for (const [address, strangers] of this.#strangers) if (this.#send(first(strangers), address)) return true;
    return false;
  }

  /** Away with it; what it has not been answered yet it is told. */
  #send(socket: Socket | undefined, address: string): boolean {
    if (socket === undefined) return false;
    this.#leave(socket, address);
    if (socket.bytesWritten === 0) endWithProblem(socket, tooMany(this.#limits.strangersPerAddress));
    socket.destroySoon();
    return true;
  }

  #leave(socket: Socket, address: string): void {
    this.#open.delete(socket);
    const strangers = this.#strangers.get(address);
    if (strangers?.delete(socket) && strangers.size === 0) this.#strangers.delete(address);
  }
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  return sockets.values().next().value;
}

function tooMany(limit: number): Failure {
  return new Failure("too_many_requests", `More than ${limit} connections are open`);
}
