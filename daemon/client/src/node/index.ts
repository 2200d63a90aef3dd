export { SpawnedDaemon, type SpawnOptions, spawn } from "./spawn.ts";
export { SpawnFailure } from "./spawn-failure.ts";
