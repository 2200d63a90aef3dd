import { afterAll, beforeAll, describe } from "vitest";
import { DaemonApi } from "./api.ts";
import { deliveryTests } from "./deliveries.ts";
import { disorderTests } from "./disorder.ts";
import { humanRequestTests } from "./human-requests.ts";
import { lifeTests } from "./lives.ts";
import { promptTests } from "./prompts.ts";
import { readingTests } from "./reading.ts";
import { sessionTests } from "./sessions.ts";

export interface RunningDaemon {
  baseUrl: string;
  token?: string;
  stop?(): Promise<void>;
}

/** A daemon that runs already, or how to start one for this suite. */
export type DaemonUnderTest = RunningDaemon | { start(): Promise<RunningDaemon> };

/** The daemon API as a black box: whole conversations with the mock agent over HTTP. Call it inside a test file. */
export function daemonApiSuite(daemon: DaemonUnderTest): void {
  let running: RunningDaemon | undefined;
  let api: DaemonApi | undefined;
  const theApi = () => {
    if (api === undefined) throw new Error("The daemon has not been started");
    return api;
  };
  beforeAll(async () => {
    running = "start" in daemon ? await daemon.start() : daemon;
    api = new DaemonApi(running.baseUrl, running.token);
  });
  afterAll(async () => {
    await running?.stop?.();
  });
  describe("prompts", () => promptTests(theApi));
  describe("human requests", () => humanRequestTests(theApi));
  describe("deliveries", () => deliveryTests(theApi));
  describe("lives", () => lifeTests(theApi));
  describe("reading", () => readingTests(theApi));
  describe("sessions", () => sessionTests(theApi));
  describe("disorder", () => disorderTests(theApi));
}
