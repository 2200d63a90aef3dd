import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFrames } from "@muster/core";
import { type Frames, GroupSync } from "@muster/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, openTextLog, says } from "../../../log/test/text-log.ts";
import { eventFraming, eventsIn } from "./event-frames.ts";

let directory: string;
const groupSync = new GroupSync();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "event-frames-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const total = 1_250;

test.each([
  ["live", false],
  ["from the files", true],
])(
  "events are frames %s over every length of number, whole for any reader of SSE and found by their places",
  async (_, isLate) => {
    const log = await openTextLog({ directory, durability: "none", groupSync, framing: eventFraming });
    const drafts = Array.from({ length: total }, (_, n) =>
      n % 10 === 0 ? ended : says(`${n} id: 7 äöü 😀 \n\ndata: x`),
    );
    if (isLate) await log.say(drafts).written;
    const readers = [log.reader(0), log.reader(0, { skips: true })];
    if (!isLate) for (const draft of drafts) log.say([draft]);
    for (const [index, reader] of readers.entries()) {
      const chunks: Frames[] = [];
      while (reader.position < total) chunks.push((await reader.next()) ?? expect.fail("the log ended"));
      const sent = [];
      for await (const { id, data } of readFrames(bodyOf(chunks))) sent.push({ sequence: Number(id), json: data });
      expect(chunks.flatMap((chunk) => [...eventsIn(chunk)])).toEqual(sent);
      expect(sent.map(({ json }) => JSON.parse(json).sequence)).toEqual(sent.map(({ sequence }) => sequence));
      const all = Array.from({ length: total }, (_, n) => n + 1);
      expect(sent.map(({ sequence }) => sequence)).toEqual(all.filter((n) => index === 0 || n % 10 === 1));
      reader.close();
    }
    await log.close();
  },
);

function bodyOf(chunks: readonly Frames[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const { bytes } of chunks) controller.enqueue(bytes);
      controller.close();
    },
  });
}
