import { daemonApiSuite } from "@muster/conformance";
import { describe } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

/** With a token, as a user has it. */
async function start() {
  const home = await DaemonHome.make({ args: [] });
  const daemon = await home.start();
  const { baseUrl } = daemon.api;
  return { baseUrl, token: daemon.token, stop: () => home.remove() };
}

describe("the daemon as a process", () => daemonApiSuite({ start }));
