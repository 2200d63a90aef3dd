import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { conversationCases } from "./conversations.ts";
import { cutCases } from "./cuts.ts";
import type { CuttingProxy } from "./cutting-proxy.ts";
import type { Driver, GivenSession } from "./driver.ts";
import { failureCases } from "./failures.ts";
import { operationCases } from "./operations.ts";
import { readingCases } from "./readings.ts";

/** A daemon and a way to it. */
export interface ClientWorld {
  /** A new client, over the proxy where there is one. */
  connect(): Promise<Driver>;
  /** Where agents work. */
  directory: string;
  /** Absent where there is no connection that could be cut. */
  network?: {
    proxy: CuttingProxy;
    /** Stops the daemon and starts it again behind the proxy. */
    restart(): Promise<void>;
  };
  stop(): Promise<void>;
}

/** What the cases use; a client of its own for each, closed after it. */
export interface Case {
  driver(): Promise<Driver>;
  /** Options of a new session. */
  mock(): Record<string, unknown>;
  newId(): string;
  network(): NonNullable<ClientWorld["network"]>;
  /** A case with one client and a session that is not yet created. */
  inSession(title: string, script: (client: Driver, session: GivenSession) => Promise<void>): void;
}

/** Every client of the daemon keeps the same promises: one suite for all of them. Call it inside a test file. */
export function clientApiSuite(start: () => Promise<ClientWorld>, { network }: { network: boolean }): void {
  let world: ClientWorld | undefined;
  const drivers: Driver[] = [];
  let sessions = 0;
  const theWorld = () => {
    if (world === undefined) throw new Error("The daemon has not been started");
    return world;
  };
  const given: Case = {
    async driver() {
      const driver = await theWorld().connect();
      drivers.push(driver);
      return driver;
    },
    mock: () => ({ agent: "mock", directory: theWorld().directory }),
    newId: () => `case-${++sessions}`,
    network() {
      const { network } = theWorld();
      if (network === undefined) throw new Error("There is no connection here");
      return network;
    },
    inSession: (title, script) =>
      it(title, async () => script(await given.driver(), { id: given.newId(), options: given.mock() })),
  };
  beforeAll(async () => {
    world = await start();
  });
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  });
  afterAll(async () => {
    await world?.stop();
  });
  describe("conversations", () => conversationCases(given));
  describe("operations", () => operationCases(given));
  describe("failures", () => failureCases(given));
  describe("readings", () => readingCases(given));
  if (network) describe("cuts", () => cutCases(given));
}
