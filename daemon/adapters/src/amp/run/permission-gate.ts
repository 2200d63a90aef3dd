import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmod, chown } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { parseJson } from "@muster/core";
import { z } from "zod";
import type { AgentUser } from "../../host.ts";
import type { SaidLine } from "../wire/native.ts";
import { secretVariable, socketVariable } from "./permission-program.ts";

const Question = z.object({ secret: z.string(), tool: z.string(), callId: z.string(), input: z.string() });

/** Where the permission programs of one life ask. What they ask comes up as lines of the agent; answers go back by `answer`. */
export class PermissionGate {
  readonly #server: Server;
  readonly #socket: string;
  readonly #secret = randomBytes(24).toString("base64url");
  readonly #waiting = new Map<string, Socket>();
  readonly #connections = new Set<Socket>();
  #asked = 0;
  #tell: (line: SaidLine) => void = () => {};

  static async open(socket: string, user: AgentUser | undefined): Promise<PermissionGate> {
    const gate = new PermissionGate(socket);
    gate.#server.listen(socket);
    await once(gate.#server, "listening");
    await chmod(socket, 0o600);
    if (user) await chown(socket, user.uid, user.gid);
    return gate;
  }

  private constructor(socket: string) {
    this.#socket = socket;
    this.#server = createServer((connection) => this.#hear(connection));
  }

  /** What the programs need to find their way here. */
  get env(): Record<string, string> {
    return { [socketVariable]: this.#socket, [secretVariable]: this.#secret };
  }

  /** From here on questions are told. */
  read(tell: (line: SaidLine) => void): void {
    this.#tell = tell;
  }

  answer(requestId: string, decision: "allow" | "reject"): void {
    const connection = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    connection?.end(`${decision}\n`);
  }

  /** Whoever still waits hears nothing, which is no. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  #hear(connection: Socket): void {
    this.#connections.add(connection);
    let requestId: string | undefined;
    connection.on("error", () => connection.destroy());
    connection.on("close", () => {
      this.#connections.delete(connection);
      if (requestId !== undefined && this.#waiting.delete(requestId)) {
        this.#tell({ type: "permission_withdrawn", request_id: requestId });
      }
    });
    createInterface({ input: connection }).once("line", (line) => {
      const question = this.#read(line);
      if (question === undefined) return connection.destroy();
      requestId = `permission_${++this.#asked}`;
      this.#waiting.set(requestId, connection);
      this.#tell({ type: "permission_request", request_id: requestId, ...question });
    });
  }

  /** undefined for whoever does not belong to this life. */
  #read(line: string): Record<string, unknown> | undefined {
    const read = Question.safeParse(parseJson(line));
    if (!read.success || !isEqual(read.data.secret, this.#secret)) return undefined;
    const { tool, callId, input } = read.data;
    return { tool_name: tool, tool_use_id: callId, input: parseJson(input) ?? input };
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
