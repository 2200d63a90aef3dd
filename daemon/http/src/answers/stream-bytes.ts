import type { ServerResponse } from "node:http";
import type { ByteStream } from "./route-result.ts";
import { waitForDrain } from "./stream-frames.ts";

/**
 * Sends bytes as fast as the client takes them. What goes wrong in the middle breaks the connection: an answer that
 * simply ended would look whole.
 */
export async function streamBytes(
  response: ServerResponse,
  { status, headers, bytes }: ByteStream,
  further: Readonly<Record<string, string>>,
): Promise<void> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    // Before the head: what cannot even be begun is a problem like any other.
    let next = await source.next();
    // Somebody else's bytes, whatever they are, never become a page of ours.
    response.writeHead(status, {
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "cache-control": "no-cache",
      ...headers,
      ...further,
    });
    if (response.req.method === "HEAD") return void response.end();
    for (; next.done !== true && !response.destroyed; next = await source.next()) {
      if (!response.write(next.value)) await waitForDrain(response);
    }
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    await source.return?.();
  }
}
