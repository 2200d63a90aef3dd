import type { IncomingMessage, ServerResponse } from "node:http";
import { BytePump, type Passage } from "@muster/forwarding";
import { headersDown } from "../protocol/headers.ts";

/** Who takes nothing for so long is gone. */
const stalledMs = 60_000;

/** Begins an answer with the provider's status and headers, and makes the pump of its bytes. */
export function beginAnswer(head: IncomingMessage, response: ServerResponse): BytePump {
  if (!response.destroyed && !response.headersSent) {
    response.sendDate = false;
    response.writeHead(head.statusCode ?? 502, head.statusMessage, headersDown(head));
    // A first word that came with the head goes out with ours; a head that came alone does not wait for it.
    setImmediate(() => {
      if (!response.destroyed && !response.writableEnded) response.flushHeaders();
    });
  }
  return new BytePump(head, response, { stalledMs });
}

/** Ends an answer as the provider's ended: whole, or broken off after what came. */
export async function endAnswer(head: IncomingMessage, pump: BytePump): Promise<void> {
  if (head.complete) await pump.end();
  else pump.cut();
}

/** A passage that also keeps what went through it, up to a size. */
export function keepingCopy(passage: Passage, mostBytes: number): { passage: Passage; copy(): Buffer } {
  const kept: Buffer[] = [];
  let size = 0;
  const push = (bytes: Buffer) => {
    const out = passage.push(bytes);
    for (const buffer of out) {
      size += buffer.length;
      if (size <= mostBytes) kept.push(buffer);
    }
    return out;
  };
  return { passage: { push, rest: () => passage.rest(), isDone: false }, copy: () => Buffer.concat(kept) };
}
