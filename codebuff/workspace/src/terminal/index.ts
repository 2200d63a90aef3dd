export type { TerminalSize } from "./machine/channel.ts";
export type { BackgroundProcess, BackgroundUpdate } from "./tool/background.ts";
export type { TerminalRunOptions } from "./tool/session.ts";
export { runSpawned, type Spawn } from "./tool/spawned-command.ts";
export { Terminal, type TerminalOptions } from "./tool/terminal.ts";
