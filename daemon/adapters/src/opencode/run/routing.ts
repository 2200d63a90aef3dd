import type { ServerProtocol } from "../../shared-server/demultiplexer.ts";
import { isNoiseOfServer } from "../read/ignored-events.ts";
import { eventOf, isObject, sessionOf } from "../wire/native.ts";

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
    if (event?.type !== "session.deleted" || !isObject(event.properties)) return false;
    const { info } = event.properties;
    return isObject(info) && info.parentID === undefined;
  },
} satisfies ServerProtocol;

type Event = { type: string; properties: unknown };

function parentOf({ type, properties }: Event): string | undefined {
  if (type !== "session.created" || !isObject(properties) || !isObject(properties.info)) return undefined;
  const { parentID } = properties.info;
  return typeof parentID === "string" ? parentID : undefined;
}

/** By its creation, or by the call that goes on with one that was created in an earlier life. */
function childOf(event: Event): string | undefined {
  if (parentOf(event) !== undefined) return sessionOf(event.properties);
  if (event.type !== "message.part.updated" || !isObject(event.properties)) return undefined;
  const { part } = event.properties;
  if (!isObject(part) || part.tool !== "task" || !isObject(part.state) || !isObject(part.state.metadata))
    return undefined;
  const { sessionId } = part.state.metadata;
  return typeof sessionId === "string" ? sessionId : undefined;
}
