import type { Feed, Session, SessionLines } from "@muster/engine";
import { Arrivals, chunkOf, type FrameSource, PushedFrames, type WrittenFrame } from "@muster/http";
import type { Frames, LogReader } from "@muster/log";
import type { UniversalEvent } from "@muster/schema";
import { addRaw } from "./add-raw.ts";
import { eventsIn } from "./event-frames.ts";

/** Where the frames of one session come from: its log, or a part of it. */
type EventSource = Pick<LogReader, "next" | "close">;

/** Frames made of the events of one session, whenever those become any. */
export function framesOf(
  source: EventSource,
  write: (events: { sequence: number; json: string }[]) => WrittenFrame[] | Promise<WrittenFrame[]>,
): FrameSource {
  return {
    async next() {
      for (;;) {
        const frames = await source.next();
        if (frames === null) return null;
        const written = await write([...eventsIn(frames)]);
        if (written.length > 0) return chunkOf(written);
      }
    },
    close: () => source.close(),
  };
}

/** Frames of one session with the agent's own messages added. */
export function withRaw(session: Session, source: EventSource): FrameSource {
  return framesOf(source, async (events) => {
    const raws = await session.raw?.read(events[0]?.sequence ?? 0, events.at(-1)?.sequence ?? 0);
    return events.map(({ sequence, json }) => ({ id: sequence, data: addRaw(json, raws?.get(sequence)) }));
  });
}

/** Events of one session as lines of an agent's own protocol. Only the last line of an event has its id: a client that
 * comes back between two lines gets both again, and misses none. */
export function asLines(source: EventSource, said: SessionLines): FrameSource {
  return framesOf(source, (events) =>
    events.flatMap(({ sequence, json }) => {
      const lines = said.write(JSON.parse(json) as UniversalEvent);
      return lines.map((line, at) => ({ id: at === lines.length - 1 ? sequence : undefined, data: line }));
    }),
  );
}

/** Frames up to and including one sequence that becomes known later. */
export function until(source: EventSource, end: Promise<number>): EventSource {
  let last = Number.POSITIVE_INFINITY;
  let seen = 0;
  // The end can become known while we wait for frames that will never come.
  void end.then((sequence) => {
    last = sequence;
    if (seen >= last) source.close();
  });
  return {
    async next() {
      if (seen >= last) return null;
      const frames = await source.next();
      if (frames === null) return null;
      seen = frames.first + frames.ends.length - 1;
      return seen <= last ? frames : upTo(frames, last);
    },
    close: () => source.close(),
  };
}

function upTo({ first, ends, bytes }: Frames, last: number): Frames {
  const kept = ends.slice(0, Math.max(0, last - first + 1));
  return { first, ends: kept, bytes: bytes.subarray(0, kept.at(-1) ?? 0) };
}

/**
 * Several sessions on one connection. Every id names the position of each of them (`a:12,b:7`), so that a client that
 * comes back with the last one misses nothing of any.
 */
export function mergeReaders(readers: ReadonlyMap<string, LogReader>): FrameSource {
  const positions = new Map([...readers].map(([sessionId, reader]) => [sessionId, reader.position]));
  const arrivals = new Arrivals<{ sessionId: string; frames: Frames | null }>();
  let open = 0;
  const ask = (sessionId: string) => {
    const reader = readers.get(sessionId);
    if (reader) arrivals.expect(reader.next().then((frames) => ({ sessionId, frames })));
  };
  return {
    async next() {
      if (open === 0) {
        open = readers.size;
        for (const sessionId of readers.keys()) ask(sessionId);
      }
      for (;;) {
        const { sessionId, frames } = await arrivals.next();
        if (frames === null && --open === 0) return null;
        if (frames === null) continue;
        ask(sessionId);
        const named = [...eventsIn(frames)].map(({ sequence, json }) => {
          positions.set(sessionId, sequence);
          return { id: [...positions].map(([name, position]) => `${name}:${position}`).join(","), data: json };
        });
        return chunkOf(named);
      }
    },
    close() {
      for (const reader of readers.values()) reader.close();
    },
  };
}

/** What waits for a watcher that does not read; beyond this it is cut off, and its client comes back. */
const mostWaiting = { frames: 10_000, bytes: 16 * 1024 * 1024 };

/** State changes and requests of every session one may see, from now on. */
export function watchSessions(sessions: { watch: Feed["subscribe"] }): FrameSource {
  const frames = new PushedFrames(() => unsubscribe());
  const unsubscribe = sessions.watch(({ sessionId, sequence, line }) => {
    frames.push({ id: `${sessionId}:${sequence}`, data: line.toString() });
    if (frames.waiting > mostWaiting.frames || frames.waitingChars > mostWaiting.bytes) frames.end();
  });
  return frames;
}
