import { majorOf } from "../install/release/driven-version.ts";
import type { Release } from "../install/release/release.ts";
import { ownProgram } from "../process/own-program.ts";
import { version } from "./run/program/version.ts";

/** The program as bundled by the build, also when these sources run unbuilt: a child process needs JavaScript. */
export const program = ownProgram("mock", new URL("../../dist/mock/bundle/mock-agent.cjs", import.meta.url));

export const mockRelease: Release = {
  id: "mock",
  name: "Mock",
  command: "mock",
  majors: [majorOf(version)],
  sources: [{ kind: "built-in", version, path: program.path }],
};
