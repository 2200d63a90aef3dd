export type { BackgroundProcess, BackgroundUpdate } from "./background.ts";
export type { TerminalRunOptions } from "./session.ts";
export { runSpawned, type Spawn } from "./spawned-command.ts";
export { Terminal, type TerminalOptions } from "./terminal.ts";
