import { createClient, readFrames } from "@muster/client";
import { keptKey } from "./access.ts";
import type { Daemon } from "./daemon.ts";

export interface InstallStep {
  stage: string;
  receivedBytes?: number;
  totalBytes?: number;
  detail?: string;
}

/** Installs an agent and tells how far it is; rejects with what the daemon says. */
export async function installAgent(
  daemon: Daemon,
  agent: string,
  options: { version?: string; onStep(step: InstallStep): void },
): Promise<void> {
  const { version, onStep } = options;
  const client = createClient({ endpoint: daemon.endpoint, token: keptKey(), fetch: fetchWithProgress(onStep) });
  await client.agents.install(version === undefined ? { agent } : { agent, version });
}

/** Asks for the answer as a stream and gives back what the stream ends with. */
function fetchWithProgress(onStep: (step: InstallStep) => void): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("accept", "text/event-stream");
    const response = await fetch(input, { ...init, headers });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream || response.body === null) return response;
    for await (const { event, data } of readFrames(response.body)) {
      if (event === "progress") onStep(JSON.parse(data) as InstallStep);
      if (event === "installed") return new Response(data, { headers: { "content-type": "application/json" } });
      if (event === "problem") {
        const { status } = JSON.parse(data) as { status: number };
        return new Response(data, { status, headers: { "content-type": "application/problem+json" } });
      }
    }
    throw new TypeError("the stream ended before the install did");
  };
}
