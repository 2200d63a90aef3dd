import type { IncomingMessage } from "node:http";
import { Failure } from "@muster/schema/wire";
import type { Caller } from "../access/security.ts";

/** Attachments travel as base64 in the body. */
const mostBytes = 32 * 1024 * 1024;
/** Whoever has shown nothing yet sends a ticket at most. */
const mostOfStranger = 4 * 1024;
const deepest = 64;
/** A body may take long, as long as it comes. */
const stallMs = 30_000;

/** The JSON body of a request; an empty one counts as `{}`. */
export async function readJson(request: IncomingMessage, caller: Caller): Promise<unknown> {
  const most = caller === "stranger" ? mostOfStranger : mostBytes;
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge(most);
  const bytes = await readBytes(request, most);
  if (bytes.length === 0) return {};
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Failure("unsupported_media_type", `The content type is ${type ?? "missing"}, not application/json`);
  }
  return parse(bytes.toString("utf8"));
}

function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    const timer = setTimeout(() => finish(() => reject(bodyTimeout())), stallMs);
    const onData = (chunk: Buffer) => {
      timer.refresh();
      if (size + chunk.length > most) return finish(() => reject(tooLarge(most)));
      if (size + chunk.length > bytes.length) bytes = grown(bytes, size + chunk.length);
      size += chunk.copy(bytes, size);
    };
    const onEnd = () => finish(() => resolve(bytes.subarray(0, size)));
    // Nobody is left to read this answer, and it is no fault of ours.
    const onClose = () => finish(() => reject(new Failure("invalid_request", "The request was aborted")));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose).pause();
      settle();
    };
    // An aborted request also emits an error; its close says the same.
    request
      .on("data", onData)
      .on("end", onEnd)
      .on("close", onClose)
      .on("error", () => {});
    if (request.destroyed) onClose();
  });
}

/** One buffer and no list: a body of one-byte pieces would cost a hundred times its size. */
function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(size, 2 * bytes.length));
  bytes.copy(larger);
  return larger;
}

function parse(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("invalid_request", `The body is not JSON: ${(error as Error).message}`);
  }
}

/** Deeply nested JSON costs far more to check than to send, so it is counted before it is parsed. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) throw new Failure("invalid_request", `The body is nested deeper than ${deepest}`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

function tooLarge(limit: number): Failure {
  return new Failure("body_too_large", `A body holds at most ${limit} bytes`, { limit });
}

function bodyTimeout(): Failure {
  return new Failure("request_timeout", "The body stood still for 30 seconds");
}
