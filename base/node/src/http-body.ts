import type { IncomingMessage } from "node:http";

export interface BodyLimits {
  mostBytes: number;
  /** How long it may stand still, or bring fewer than `leastBytes`. */
  stallMs?: number;
  /** A body that drips would keep its connection for ever; 1 without it. */
  leastBytes?: number;
  /** How long all of it may take. */
  wholeMs?: number;
}

/** Why a body could not be read. */
export class BodyFailure extends Error {
  override readonly name = "BodyFailure";
  readonly reason: "too_large" | "too_slow" | "cut_off";

  constructor(reason: BodyFailure["reason"]) {
    super(`The body is ${reason.replace("_", " ")}`);
    this.reason = reason;
  }
}

/** The body of a request within its limits. Throws a BodyFailure; the connection stays usable for the answer. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { mostBytes, stallMs, leastBytes = 1, wholeMs } = limits;
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    let sizeAtRefresh = 0;
    const fail = (reason: BodyFailure["reason"]) => finish(() => reject(new BodyFailure(reason)));
    const timers = [stallMs, wholeMs].map((ms) =>
      ms === undefined ? undefined : setTimeout(() => fail("too_slow"), ms),
    );
    const onData = (chunk: Buffer) => {
      if (size + chunk.length - sizeAtRefresh >= leastBytes) {
        sizeAtRefresh = size + chunk.length;
        timers[0]?.refresh();
      }
      if (size + chunk.length > mostBytes) return fail("too_large");
      if (size + chunk.length > bytes.length) bytes = growBuffer(bytes, size + chunk.length);
      size += chunk.copy(bytes, size);
    };
    const onEnd = () => finish(() => resolve(bytes.subarray(0, size)));
    const onClose = () => fail("cut_off");
    const finish = (settle: () => void) => {
      for (const timer of timers) clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose).pause();
      settle();
    };
    // An aborted request also emits an error; its close says the same.
    request.on("error", ignore);
    if (Number(request.headers["content-length"] ?? 0) > mostBytes) return fail("too_large");
    if (request.readableEnded) return onEnd();
    if (request.destroyed) return onClose();
    request.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/** One buffer and no list: a body of one-byte pieces would cost a hundred times its size. */
function growBuffer(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(size, 2 * bytes.length));
  bytes.copy(larger);
  return larger;
}

/** Ignores an error. Inside `readBody` it would keep the body as long as the request lives: for an answer of many minutes. */
function ignore(): void {}
