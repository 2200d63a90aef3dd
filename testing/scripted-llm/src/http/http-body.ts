import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { messageOf } from "@muster/core";
import { BodyFailure, readBody } from "@muster/node";

/** A body that cannot be read, with the status that says so. */
export class BodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const mostBytes = 64 * 1024 * 1024;

/** All bytes of a request, as they came. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  return readBody(request, { mostBytes }).catch((error: unknown) => {
    if (!(error instanceof BodyFailure) || error.reason !== "too_large") throw error;
    throw new BodyError(413, `The request is larger than ${mostBytes} bytes`);
  });
}

/** The text of a body; agents may compress it. */
export function decodeBody(bytes: Buffer, encoding: string | undefined): string {
  const limit = { maxOutputLength: mostBytes };
  try {
    if (encoding === undefined || encoding === "identity") return bytes.toString("utf8");
    if (encoding === "gzip") return gunzipSync(bytes, limit).toString("utf8");
    if (encoding === "deflate") return inflateSync(bytes, limit).toString("utf8");
    if (encoding === "br") return brotliDecompressSync(bytes, limit).toString("utf8");
  } catch (error) {
    throw new BodyError(400, `The body is not ${encoding}: ${messageOf(error)}`);
  }
  throw new BodyError(415, `Bodies in ${encoding} are not understood here; send gzip, deflate, br or none`);
}

/** Headers with one text per name, as Node joins them. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")] as const);
  return Object.fromEntries(entries);
}
