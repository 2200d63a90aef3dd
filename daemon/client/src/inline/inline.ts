import { type RunningEngineOptions, startInline } from "@muster/server";
import { clientOf } from "../client.ts";
import { type CallerOptions, createCaller } from "../create-caller.ts";
import { SandboxDaemon } from "../sandbox-daemon.ts";
import { inlineConnection } from "./inline-connection.ts";

export interface InlineOptions extends CallerOptions, Partial<RunningEngineOptions> {
  /** Sessions are kept here. Nobody else has it until this daemon is closed. */
  dataDirectory: string;
}

/** The daemon in this process: no port, no server, the same API. */
export async function inline({ reconnect, ...options }: InlineOptions): Promise<SandboxDaemon> {
  const daemon = await startInline({
    durability: "batch",
    keepRaw: true,
    logLevel: "warn",
    ...options,
  });
  const client = clientOf(createCaller(inlineConnection(daemon), { reconnect }));
  return new SandboxDaemon(client, () => daemon.close());
}
