import type { ServerResponse } from "node:http";
import { type InstallProgress, joinFrames } from "@muster/engine";
import { Failure, type InstalledAgent } from "@muster/schema";

/** An install as a stream: `progress` events, then one `installed` or one `problem`. */
export async function installWithProgress(
  response: ServerResponse,
  install: (progress: (step: InstallProgress) => void) => Promise<InstalledAgent>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const send = (event: string, data: unknown) =>
    void response.write(joinFrames([{ event, json: JSON.stringify(data) }]));
  try {
    send("installed", await install((step) => send("progress", step)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    send("problem", error.toProblem());
  } finally {
    response.end();
  }
}
