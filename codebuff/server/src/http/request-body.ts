import type { IncomingMessage } from "node:http";
import { BodyFailure, readBody } from "@muster/node";
import { Refusal } from "../refusal.ts";
import { depthOf } from "./json-members.ts";

const mostBodyBytes = 16 * 1024 * 1024;
const deepest = 128;

/** The body of a request within its limits of size and time. The connection stays usable for the answer. */
export async function readRequest(request: IncomingMessage, wholeMs: number): Promise<Buffer> {
  return readBody(request, { mostBytes: mostBodyBytes, wholeMs }).catch((error: unknown) => {
    throw error instanceof BodyFailure ? refusals[error.reason]() : error;
  });
}

const refusals: Readonly<Record<BodyFailure["reason"], () => Refusal>> = {
  too_large: () =>
    new Refusal(413, `A body holds at most ${mostBodyBytes} bytes`, { headers: { connection: "close" } }),
  too_slow: () => new Refusal(408, "The body did not come in time", { headers: { connection: "close" } }),
  cut_off: () => new Refusal(400, "The body was cut off"),
};

/** Read by content, not by header: clients send JSON as `text/plain` too. */
export function readJson(body: Buffer): unknown {
  try {
    // Deeply nested JSON costs far more to check than to send, so it is counted before it is parsed.
    if (depthOf(body) > deepest) throw new Refusal(400, `The body is nested deeper than ${deepest}`);
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "The body is not valid JSON");
  }
}
