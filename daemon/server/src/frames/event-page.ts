import { type Session, SessionLines } from "@muster/engine";
import type { Query, UniversalEvent } from "@muster/schema";
import { addRaw } from "./add-raw.ts";

/** A page of events as JSON; the stored lines go into it as they are. */
export async function eventPage(session: Session, query: Query<"sessions.getEvents">): Promise<Buffer> {
  const { offset = 0, limit = 1_000, raw, deltas, as } = query;
  const { lines, last, hasMore } = await session.log.read(offset, limit, { deltas });
  if (as === undefined) return pageOf(raw ? await linesWithRaw(session, lines) : lines, { hasMore });
  const said = await SessionLines.open(session.log, { agent: as, after: offset, deltas: deltas !== false });
  const native = lines.flatMap((line) => said.write(JSON.parse(line.toString()) as UniversalEvent));
  const page = pageOf(
    native.map((line) => Buffer.from(line)),
    { hasMore, last, leftOut: said.leftOut },
  );
  said.stop(last);
  return page;
}

const pageStart = Buffer.from('{"events":[');
const comma = Buffer.from(",");

function pageOf(events: readonly Buffer[], rest: Record<string, unknown>): Buffer {
  const parts = events.flatMap((line, index) => (index === 0 ? [line] : [comma, line]));
  return Buffer.concat([pageStart, ...parts, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)]);
}

async function linesWithRaw(session: Session, lines: readonly Buffer[]): Promise<Buffer[]> {
  const texts = lines.map((line) => line.toString());
  const sequences = texts.map((text) => (JSON.parse(text) as { sequence: number }).sequence);
  const raws = await session.raw?.read(sequences[0] ?? 0, sequences.at(-1) ?? 0);
  return texts.map((text, index) => Buffer.from(addRaw(text, raws?.get(sequences[index] ?? 0))));
}
