import { isRecord } from "@muster/core";
import type { ServerProtocol } from "../../shared-server/demultiplexer.ts";
import { isSecondNoiseOfServer } from "../read/second-ignored.ts";
import { secondSessionOf, secondTypeOf } from "../wire/second.ts";
import { protocol } from "./routing.ts";

/** How the lines of an OpenCode 2 are told apart; what the daemon writes itself is in the words of version 1. */
export const secondProtocol = {
  route(line: unknown): string | null {
    const type = secondTypeOf(line);
    if (type === undefined) return protocol.route(line);
    if (isSecondNoiseOfServer(type)) return null;
    return parentOf(line) ?? secondSessionOf(line) ?? null;
  },
  take(line: unknown): boolean {
    const type = secondTypeOf(line);
    return type === undefined ? protocol.take(line) : isSecondNoiseOfServer(type);
  },
  adopts(line: unknown): string | undefined {
    if (secondTypeOf(line) === undefined) return protocol.adopts(line);
    if (parentOf(line) !== undefined) return secondSessionOf(line);
    return childOf(line);
  },
  // The end of a sub-agent's session is told by the same line as that of the conversation.
  closes: (line: unknown) => secondTypeOf(line) === undefined && protocol.closes(line),
} satisfies ServerProtocol;

function parentOf(line: unknown): string | undefined {
  if (secondTypeOf(line) !== "session.created" || !isRecord(line) || !isRecord(line.data)) return undefined;
  return typeof line.data.parentID === "string" ? line.data.parentID : undefined;
}

/** A call that goes on with a sub-agent of an earlier life. */
function childOf(line: unknown): string | undefined {
  if (secondTypeOf(line) !== "session.tool.progress" || !isRecord(line) || !isRecord(line.data)) return undefined;
  const { metadata } = line.data;
  return isRecord(metadata) && typeof metadata.sessionID === "string" ? metadata.sessionID : undefined;
}
