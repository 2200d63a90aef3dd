import { join } from "node:path";
import type { EngineLog, GatewayDoor, Redactor, RunningGateway } from "@muster/engine";

/** How the gateway is set up; nothing of it is needed. */
export interface GatewaySettings {
  /** On loopback; a free one by default. */
  port?: number;
  routesFile?: string;
  /** As on the command line: `<provider>[:<model>]=<url>`. */
  routes?: readonly string[];
  /** Prints the key of the provider in MUSTER_PROVIDER. */
  keyCommand?: string;
  /** For all sessions together. */
  budgetUsd?: number;
  /** What becomes of a model without a price under a budget in dollars. */
  unpriced?: "refuse" | "allow";
  /** Keeps each request and answer, redacted. */
  record?: boolean;
}

interface GatewaySurroundings {
  env: NodeJS.ProcessEnv;
  log: EngineLog;
  dataDirectory: string;
  redactor: Redactor;
}

/** Starts the gateway when the engine needs it; nothing of it is loaded before. */
export function gatewayStarter(settings: GatewaySettings, surroundings: GatewaySurroundings) {
  return async (door: GatewayDoor): Promise<RunningGateway> => {
    const { startGateway } = await import("@muster/gateway");
    const { env, log, dataDirectory, redactor } = surroundings;
    const { record, ...rest } = settings;
    const gateway = await startGateway({
      ...rest,
      sessions: record ? recordingDoor(door, (sessionId) => gateway.setRecording(sessionId, true)) : door,
      recordDirectory: record ? join(dataDirectory, "records") : undefined,
      ledgerFile: join(dataDirectory, "spending.jsonl"),
      redact: (text) => redactor.text(text),
      learnSecret: (secret) => {
        if (!placeholderForm.test(secret)) redactor.add([secret]);
      },
      env,
      log,
    });
    return gateway;
  };
}

/** Placeholders open nothing to whoever reads them later, and there is one for each session. */
const placeholderForm = /msk/;

/** The same door, by which each session is recorded from its first request on. */
function recordingDoor(door: GatewayDoor, record: (sessionId: string) => void): Pick<GatewayDoor, keyof GatewayDoor> {
  return {
    account: (sessionId) => door.account(sessionId),
    byNativeId: (agent, nativeId) => door.byNativeId(agent, nativeId),
    nativeIdOf: (sessionId) => door.nativeIdOf(sessionId),
    began: async (sessionId, request) => {
      record(sessionId);
      await door.began(sessionId, request);
    },
    settled: (sessionId, settlement) => door.settled(sessionId, settlement),
    warned: (sessionId, budget) => door.warned(sessionId, budget),
    stopped: (sessionId, reached) => door.stopped(sessionId, reached),
  };
}

/** Whether somebody set it up by hand: what is wrong with that is told at the start, not at the first session. */
export function isSetUp({ port, routesFile, routes }: GatewaySettings): boolean {
  return port !== undefined || routesFile !== undefined || (routes?.length ?? 0) > 0;
}
