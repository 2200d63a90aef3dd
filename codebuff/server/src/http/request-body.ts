import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";
import { depthOf } from "./json-members.ts";

const mostBodyBytes = 16 * 1024 * 1024;
const deepest = 128;

/** The body of a request within its limits of size and time. The connection stays usable for the answer. */
export function readBody(request: IncomingMessage, limitMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | Error) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      if (result instanceof Error) {
        request.pause();
        reject(result);
      } else resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > mostBodyBytes) settle(tooLarge());
    };
    const onEnd = () => settle(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    const onClose = () => settle(new Refusal(400, "The body was cut off"));
    const timer = setTimeout(() => settle(tooSlow()), limitMs);
    if (Number(request.headers["content-length"] ?? 0) > mostBodyBytes) settle(tooLarge());
    else if (request.readableEnded) settle(Buffer.alloc(0));
    else request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

/** Read by content, not by header: clients send JSON as `text/plain` too. */
export function parseJson(body: Buffer): unknown {
  try {
    // Deeply nested JSON costs far more to check than to send, so it is counted before it is parsed.
    if (depthOf(body) > deepest) throw new Refusal(400, `The body is nested deeper than ${deepest}`);
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "The body is not valid JSON");
  }
}

function tooLarge(): Refusal {
  return new Refusal(413, `A body holds at most ${mostBodyBytes} bytes`, { headers: { connection: "close" } });
}

function tooSlow(): Refusal {
  return new Refusal(408, "The body did not come in time", { headers: { connection: "close" } });
}
