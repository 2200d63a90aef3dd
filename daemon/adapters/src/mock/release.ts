import { fileURLToPath } from "node:url";
import type { Release } from "../install/release.ts";
import { version } from "./run/program/version.ts";

/** The program as bundled by the build, also when these sources run unbuilt: a child process needs JavaScript. */
export const program = fileURLToPath(new URL("../../dist/mock/bundle/mock-agent.cjs", import.meta.url));

export const mockRelease: Release = {
  id: "mock",
  name: "Mock",
  command: "mock",
  sources: [{ kind: "built-in", version, path: program }],
};
