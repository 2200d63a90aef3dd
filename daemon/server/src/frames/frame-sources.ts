import { type Session, type SessionLines, splitFrames } from "@muster/engine";
import { Arrivals, type FrameSource, frameBytes, PushedFrames } from "@muster/http";
import type { LogReader } from "@muster/log";
import type { UniversalEvent } from "@muster/schema";
import type { VisibleSessions } from "../engine/visible-sessions.ts";
import { addRaw } from "./add-raw.ts";

/** Frames of one session with the agent's own messages added. */
export function withRaw(session: Session, reader: LogReader): FrameSource {
  return {
    take: () => undefined,
    async next() {
      const bytes = await reader.next();
      if (bytes === null) return null;
      const frames = splitFrames(bytes);
      const raws = await session.raw?.read(frames[0]?.sequence ?? 0, frames.at(-1)?.sequence ?? 0);
      return frameBytes(
        frames.map(({ sequence, json }) => ({ id: sequence, data: addRaw(json, raws?.get(sequence)) })),
      );
    },
    close: () => reader.close(),
  };
}

/** Events of one session as lines of an agent's own protocol. Only the last line of an event has its id: a client that
 * comes back between two lines gets both again, and misses none. */
export function asLines(reader: LogReader, said: SessionLines): FrameSource {
  return {
    take: () => undefined,
    async next() {
      for (;;) {
        const bytes = await reader.next();
        if (bytes === null) return null;
        const frames = splitFrames(bytes).flatMap(({ sequence, json }) => {
          const lines = said.write(JSON.parse(json) as UniversalEvent);
          return lines.map((line, at) => ({ id: at === lines.length - 1 ? sequence : undefined, data: line }));
        });
        if (frames.length > 0) return frameBytes(frames);
      }
    },
    close: () => reader.close(),
  };
}

/** Frames up to and including one sequence that becomes known later. */
export function until(source: FrameSource, end: Promise<number>): FrameSource {
  let last = Number.POSITIVE_INFINITY;
  let seen = 0;
  // The end can become known while we wait for frames that will never come.
  void end.then((sequence) => {
    last = sequence;
    if (seen >= last) source.close();
  });
  return {
    take: () => undefined,
    async next() {
      if (seen >= last) return null;
      const bytes = await source.next();
      if (bytes === null) return null;
      const frames = splitFrames(bytes);
      seen = frames.at(-1)?.sequence ?? seen;
      if (seen < last) return bytes;
      return frameBytes(
        frames.filter(({ sequence }) => sequence <= last).map(({ sequence: id, json: data }) => ({ id, data })),
      );
    },
    close: () => source.close(),
  };
}

/**
 * Several sessions on one connection. Every id names the position of each of them (`a:12,b:7`), so that a client that
 * comes back with the last one misses nothing of any.
 */
export function mergeReaders(readers: ReadonlyMap<string, LogReader>): FrameSource {
  const positions = new Map([...readers].map(([sessionId, reader]) => [sessionId, reader.position]));
  const arrivals = new Arrivals<{ sessionId: string; bytes: Buffer | null }>();
  let open = 0;
  const ask = (sessionId: string) => {
    const reader = readers.get(sessionId);
    if (reader) arrivals.expect(reader.next().then((bytes) => ({ sessionId, bytes })));
  };
  return {
    take: () => undefined,
    async next() {
      if (open === 0) {
        open = readers.size;
        for (const sessionId of readers.keys()) ask(sessionId);
      }
      for (;;) {
        const { sessionId, bytes } = await arrivals.next();
        if (bytes === null && --open === 0) return null;
        if (bytes === null) continue;
        ask(sessionId);
        return frameBytes(
          splitFrames(bytes).map(({ sequence, json }) => {
            positions.set(sessionId, sequence);
            return { id: [...positions].map(([name, position]) => `${name}:${position}`).join(","), data: json };
          }),
        );
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
export function watchSessions(sessions: VisibleSessions): FrameSource {
  const frames = new PushedFrames(() => unsubscribe());
  const unsubscribe = sessions.watch(({ sessionId, sequence, line }) => {
    frames.push({ id: `${sessionId}:${sequence}`, data: line.toString() });
    if (frames.waiting > mostWaiting.frames || frames.waitingChars > mostWaiting.bytes) frames.end();
  });
  return frames;
}
