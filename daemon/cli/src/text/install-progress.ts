import { readFrames } from "@muster/client";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { progressLine } from "./progress-line.ts";

/**
 * A fetch for `agents install` that shows how far it is. It asks for the answer as a stream and gives back what the
 * stream ends with as the answer the client expects.
 */
export function fetchWithProgress({ stderr }: Pick<CommandEnvironment, "stderr">): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("accept", "text/event-stream");
    const response = await fetch(input, { ...init, headers });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream || response.body === null) return response;
    try {
      for await (const { event, data } of readFrames(response.body)) {
        if (event === "progress") stderr.write(`\r\x1b[K${progressLine(JSON.parse(data))}`);
        if (event === "installed") return new Response(data, { headers: { "content-type": "application/json" } });
        if (event === "problem") return problemResponse(data);
      }
    } finally {
      stderr.write("\r\x1b[K");
    }
    throw new TypeError("the stream ended before the install did");
  };
}

function problemResponse(data: string): Response {
  const { status } = JSON.parse(data) as { status: number };
  return new Response(data, { status, headers: { "content-type": "application/problem+json" } });
}
