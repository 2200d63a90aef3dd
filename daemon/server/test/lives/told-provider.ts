import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as an agent plans it: its body holds this, and so the provider knows what to answer. */
export interface Step {
  /** In a header too, which names it in the log of its session. */
  readonly id: string;
  readonly model: string;
  /** Tokens. */
  readonly input: number;
  /** Pieces of ten tokens. */
  readonly pieces: number;
  /** Tokens of thoughts that are not sent, told at the end. */
  readonly hidden: number;
  /** Whether the provider breaks off instead of ending. */
  readonly isCut: boolean;
  /** The agent leaves after so many bytes. */
  readonly leaveAfter?: number;
}

/** A request as the provider saw it: what it really used. */
export interface RealRequest extends Step {
  /** Dollars for a million tokens of either kind, when it came. */
  readonly price: number;
  readonly arrivedAt: number;
  output: number;
  /** Missing while it is open. */
  endedAt?: number;
  /** Its end was told, with its usage. */
  isWhole: boolean;
}

const pieceMs = 3;
const pieceTokens = 10;

/** A provider of Messages that counts by itself what it sends. */
export class ToldProvider {
  readonly requests: RealRequest[] = [];
  price = 1;
  readonly #server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { step } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { step: Step };
      const real: RealRequest = { ...step, price: this.price, arrivedAt: performance.now(), output: 0, isWhole: false };
      this.requests.push(real);
      for (const wake of this.#waiting.splice(0)) wake();
      answer.once("close", () => {
        real.endedAt = performance.now();
      });
      void stream(real, answer);
    });
  });
  #waiting: (() => void)[] = [];

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when so many requests have come, or `over` has. */
  async until(count: number, over: Promise<unknown>): Promise<void> {
    let isOver = false;
    void over.then(() => {
      isOver = true;
      for (const wake of this.#waiting.splice(0)) wake();
    });
    while (this.requests.length < count && !isOver) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function stream(real: RealRequest, answer: ServerResponse): Promise<void> {
  const write = (type: string, data: object) => {
    answer.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  answer.writeHead(200, { "content-type": "text/event-stream" });
  const usage = { input_tokens: real.input, output_tokens: 1 };
  write("message_start", { message: { id: `msg_${real.id}`, model: real.model, usage } });
  const text = "x".repeat(4 * pieceTokens);
  for (let piece = 0; piece < real.pieces; piece++) {
    await new Promise((resolve) => setTimeout(resolve, pieceMs));
    if (answer.destroyed) return;
    write("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
    real.output += pieceTokens;
  }
  if (real.isCut) return void answer.destroy();
  real.output += real.hidden;
  write("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: real.output } });
  write("message_stop", {});
  real.isWhole = true;
  answer.end();
}
