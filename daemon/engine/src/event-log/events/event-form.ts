import type { Damage, LogForm } from "@muster/log";
import { maxEventBytes, sequenceKey } from "./event-line.ts";

const typeKey = Buffer.from('"type":"');
const deltaType = 'item.delta"';

/** What files of events are called and how their lines begin, whoever's they are. */
export const eventFiles = { prefix: "events", key: sequenceKey, longest: maxEventBytes };

/** What the log is told about the events of a session. */
export function eventForm(sessionId: string, ancestors: readonly string[] = []): LogForm {
  return {
    ...eventFiles,
    owner: { sessionId },
    ancestors: ancestors.map((ancestor) => ({ sessionId: ancestor })),
    title: `The event log of session ${sessionId}`,
    // Number, time, session, source and type alone are more.
    shortest: 50,
    isSkippable: isDeltaLine,
    damageLine: (damage, time) => damagedEvent(sessionId, damage, time),
  };
}

function damagedEvent(sessionId: string, { from, to, bytes, keptAs }: Damage, time: string): string {
  const envelope = { sequence: to, time, sessionId, source: "daemon", type: "log.damaged" };
  return JSON.stringify({ ...envelope, data: { from, to, bytes, keptAs } });
}

/** Only the keys before it are ours and known, and no value before it can hold an unescaped quote. */
function isDeltaLine(bytes: Buffer, start: number): boolean {
  const type = bytes.indexOf(typeKey, start) + typeKey.length;
  return bytes.toString("latin1", type, type + deltaType.length) === deltaType;
}
