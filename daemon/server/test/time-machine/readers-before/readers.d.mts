import type { UniversalEvent, UniversalMessage } from "@muster/schema";

export function foldMessages(events: AsyncIterable<UniversalEvent>): Promise<UniversalMessage[]>;
export function eventLine(event: UniversalEvent): string;
export class SessionFold {
  apply(event: UniversalEvent): void;
  readonly turns: ReadonlyMap<string, unknown>;
  readonly lastSequence: number;
}
