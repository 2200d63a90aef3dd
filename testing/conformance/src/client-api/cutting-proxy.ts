import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

type Limit = { frames: number } | { bytes: number };

/**
 * Passes bytes to a port of this machine and cuts connections in the middle of an answer: after so many frames of an event
 * stream, or so many bytes, whichever connection they come on. The client has what came before the cut.
 */
export class CuttingProxy {
  readonly url: string;
  /** May change: a daemon that restarts has another port. */
  target: number;
  /** How many connections were cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #limits: Limit[] = [];
  #passed = 0;
  #afterLineEnd = false;

  static async start(target: number): Promise<CuttingProxy> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new CuttingProxy(server, target);
  }

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (client) => this.#passOn(client));
  }

  /** What comes from now on is cut at the first limit, what comes then at the next; behind the last nothing is. */
  cutAfter(...limits: Limit[]): void {
    this.#limits = limits;
    this.#passed = 0;
    this.#afterLineEnd = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #passOn(client: Socket): void {
    const server = connect({ port: this.target, host: "127.0.0.1", noDelay: true });
    for (const socket of [client, server]) {
      this.#open.add(socket);
      socket.once("close", () => {
        this.#open.delete(socket);
        client.destroySoon();
        server.destroy();
      });
      // The close that follows says the same.
      socket.on("error", () => {});
    }
    client.on("data", (bytes: Buffer) => void server.write(bytes));
    server.on("data", (bytes: Buffer) => {
      const whole = this.#whole(bytes);
      if (!client.write(bytes.subarray(0, whole))) {
        server.pause();
        client.once("drain", () => server.resume());
      }
      if (whole === undefined) return;
      this.cuts++;
      this.#limits.shift();
      this.#passed = 0;
      server.destroy();
    });
  }

  /** How much of an answer passes before the cut; undefined: all of it. */
  #whole(bytes: Buffer): number | undefined {
    const [limit] = this.#limits;
    if (limit === undefined) return undefined;
    if ("bytes" in limit) {
      const room = limit.bytes - this.#passed;
      this.#passed += bytes.length;
      return bytes.length >= room ? Math.max(0, room) : undefined;
    }
    if (limit.frames === 0) return 0;
    for (let at = 0; at < bytes.length; at++) {
      const isLineEnd = bytes[at] === 10;
      const isFrameEnd = isLineEnd && this.#afterLineEnd;
      this.#afterLineEnd = isLineEnd && !isFrameEnd;
      if (isFrameEnd && ++this.#passed === limit.frames) return at + 1;
    }
    return undefined;
  }
}
