import type { IncomingMessage } from "node:http";
import { BodyFailure, readBody, readBodyPieces } from "@muster/node";
import { Failure } from "@muster/schema/wire";

/** Attachments travel as base64 in the body. */
const mostBytes = 32 * 1024 * 1024;
/** Whoever has shown nothing yet sends a ticket at most. */
const mostOfStranger = 4 * 1024;
const deepest = 64;
/** A body may take long, as long as it comes: 32 MiB at this pace take 17 hours, one that drips ends. */
const stallMs = 30_000;
const leastBytes = 16 * 1024;

/** The JSON body of a request; an empty one counts as `{}`. */
export async function readJson(request: IncomingMessage, isKnown: boolean): Promise<unknown> {
  const most = isKnown ? mostBytes : mostOfStranger;
  const bytes = await readBody(request, { mostBytes: most, stallMs, leastBytes }).catch((error: unknown) => {
    throw error instanceof BodyFailure ? failureOf(error, most) : error;
  });
  if (bytes.length === 0) return {};
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Failure("unsupported_media_type", `The content type is ${type ?? "missing"}, not application/json`);
  }
  return parse(bytes.toString("utf8"));
}

/** The bytes of a body as they come, as many as there are; each is taken before more are read. */
export async function* readBytes(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* readBodyPieces(request, { stallMs, leastBytes });
  } catch (error) {
    throw error instanceof BodyFailure ? failureOf(error, Number.POSITIVE_INFINITY) : error;
  }
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

function failureOf({ reason }: BodyFailure, limit: number): Failure {
  switch (reason) {
    case "too_large":
      return new Failure("body_too_large", `A body holds at most ${limit} bytes`, { limit });
    case "too_slow":
      return new Failure("request_timeout", `The body brought fewer than ${leastBytes} bytes in 30 seconds`);
    case "cut_off":
      // Nobody is left to read this answer, and it is no fault of ours.
      return new Failure("invalid_request", "The request was aborted");
  }
}
