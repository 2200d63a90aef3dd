import { claudeConverter } from "../src/claude/converter.ts";
import type { ClaudeNative } from "../src/claude/wire/native.ts";
import type { Command } from "../src/commands.ts";
import { Conversion } from "../src/converter/conversion.ts";
import type { Signal } from "../src/signals.ts";

/** A life that is told lines and commands, and what came of it. */
export function life() {
  const conversion = new Conversion(claudeConverter);
  const replies: ClaudeNative[] = [];
  const signals: Signal[] = [];
  const say = (...lines: unknown[]) => {
    const said = lines.flatMap((line) => conversion.line(JSON.stringify(line), replies));
    signals.push(...said);
    return said;
  };
  const tell = (command: Command) => conversion.command(command, replies);
  return { say, tell, signals, replies, conversion };
}

export const stream = (event: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "stream_event",
  event,
  api_message_id: "msg_1",
  ...more,
});
export const message = (messageId: string, type: "message" | "steer" = "message"): Command => ({
  type,
  messageId,
  text: "hello",
  attachments: [],
});
export const lifecycle = (command_uuid: string, state: string) => ({ type: "command_lifecycle", command_uuid, state });
export const types = (signals: readonly Signal[]) => signals.map(({ type }) => type);
