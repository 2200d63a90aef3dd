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

/** The body piece by piece, no faster than the pieces are taken. Throws a BodyFailure where it stalls or breaks off. */
export async function* readBodyPieces(
  request: IncomingMessage,
  { stallMs, leastBytes = 1 }: Pick<BodyLimits, "stallMs" | "leastBytes">,
): AsyncGenerator<Buffer> {
  let wake: (() => void) | undefined;
  const onMore = () => wake?.();
  request.on("readable", onMore).on("end", onMore).on("close", onMore).on("error", ignore);
  /** Since this many bytes came we have waited so long: what takes long with a piece is not the sender's fault. */
  let came = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const piece: Buffer | null = request.read();
      if (piece !== null) {
        came += piece.length;
        if (came >= leastBytes) [came, waitedMs] = [0, 0];
        yield piece;
        continue;
      }
      if (request.readableEnded) return;
      if (request.destroyed) throw new BodyFailure("cut_off");
      if (stallMs !== undefined && waitedMs >= stallMs) throw new BodyFailure("too_slow");
      const from = performance.now();
      await new Promise<void>((resolve) => {
        const timer = stallMs === undefined ? undefined : setTimeout(resolve, stallMs - waitedMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      waitedMs += performance.now() - from;
    }
  } finally {
    request.off("readable", onMore).off("end", onMore).off("close", onMore);
  }
}

/** One buffer and no list: a body of one-byte pieces would cost a hundred times its size. */
function growBuffer(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(size, 2 * bytes.length));
  bytes.copy(larger);
  return larger;
}

/** Ignores an error. Inside `readBody` it would keep the body as long as the request lives: for an answer of many minutes. */
function ignore(): void {}
