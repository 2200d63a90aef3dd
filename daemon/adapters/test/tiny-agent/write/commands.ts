import type { Command } from "../../../src/commands.ts";
import type { TinyLine } from "../read/native.ts";

/** It takes messages and nothing else. */
export function writeCommand(command: Command): TinyLine[] {
  return command.type === "message" ? [{ ask: command.messageId, text: command.text }] : [];
}
