import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";

const mostBodyBytes = 16 * 1024 * 1024;
const slowestBodyMs = 30_000;
const deepest = 128;

/** The body of a request within its limits of size and time. The connection stays usable for the answer. */
export function readBody(request: IncomingMessage, limitMs = slowestBodyMs): Promise<Buffer> {
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
    const onEnd = () => settle(Buffer.concat(chunks, size));
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
    checkDepth(body);
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "The body is not valid JSON");
  }
}

/** Deeply nested JSON costs far more to check than to send, so it is counted before it is parsed. */
function checkDepth(body: Buffer): void {
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const code = body[at];
    if (code === quote) at = endOfString(body, at);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) throw new Refusal(400, `The body is nested deeper than ${deepest}`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Most of a body is long texts: their ends are searched, not walked to. */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end !== -1; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}

function tooLarge(): Refusal {
  return new Refusal(413, `A body holds at most ${mostBodyBytes} bytes`, { headers: { connection: "close" } });
}

function tooSlow(): Refusal {
  return new Refusal(408, "The body did not come in time", { headers: { connection: "close" } });
}
