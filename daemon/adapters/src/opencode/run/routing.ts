import { isRecord } from "@muster/core";
import type { ServerProtocol } from "../../shared-server/demultiplexer.ts";
import { isNoiseOfServer } from "../read/ignored-events.ts";
import { eventOf, sessionOf } from "../wire/native.ts";

/** How the lines of a server are told apart. Sub-agents have sessions of their own, which belong to their parent's. */
export const protocol = {
  route(line: unknown): string | null {
    const event = eventOf(line);
    if (event === undefined || isNoiseOfServer(event.type)) return null;
    return parentOf(event) ?? sessionOf(event.properties) ?? null;
  },
  take(line: unknown): boolean {
    const event = eventOf(line);
    return event !== undefined && isNoiseOfServer(event.type);
  },
  adopts(line: unknown): string | undefined {
    const event = eventOf(line);
    return event === undefined ? undefined : childOf(event);
  },
  closes(line: unknown): boolean {
    const event = eventOf(line);
    if (event?.type !== "session.deleted" || !isRecord(event.properties)) return false;
    const { info } = event.properties;
    return isRecord(info) && info.parentID === undefined;
  },
} satisfies ServerProtocol;

type Event = { type: string; properties: unknown };

function parentOf({ type, properties }: Event): string | undefined {
  if (type !== "session.created" || !isRecord(properties) || !isRecord(properties.info)) return undefined;
  const { parentID } = properties.info;
  return typeof parentID === "string" ? parentID : undefined;
}

/** By its creation, or by the call that goes on with one that was created in an earlier life. */
function childOf(event: Event): string | undefined {
  if (parentOf(event) !== undefined) return sessionOf(event.properties);
  if (event.type !== "message.part.updated" || !isRecord(event.properties)) return undefined;
  const { part } = event.properties;
  if (!isRecord(part) || part.tool !== "task" || !isRecord(part.state) || !isRecord(part.state.metadata))
    return undefined;
  const { sessionId } = part.state.metadata;
  return typeof sessionId === "string" ? sessionId : undefined;
}
