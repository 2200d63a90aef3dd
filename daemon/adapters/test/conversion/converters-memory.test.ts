import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { EventBody, Item } from "@muster/schema";
import { expect, test } from "vitest";
import { converters } from "../../src/converters.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** A turn with a message and a call, as any agent could have had it. */
function* turn(n: number): Generator<EventBody> {
  const callId = `call_${n}`;
  const message: Omit<Item, "content" | "status"> = { itemId: `item_${3 * n}`, kind: "message", role: "assistant" };
  const call: Omit<Item, "content" | "status"> = { itemId: `item_${3 * n + 1}`, kind: "tool_call", role: "assistant" };
  const result: Omit<Item, "content" | "status"> = { itemId: `item_${3 * n + 2}`, kind: "tool_result", role: "tool" };
  const text = [{ type: "text" as const, text: `I look at number ${n}.` }];
  const asked = [
    { type: "tool_call" as const, callId, name: "Bash", toolKind: "execute" as const, input: { command: `echo ${n}` } },
  ];
  const printed = [{ type: "tool_result" as const, callId, output: `${n}\n`, isError: false }];
  yield { type: "turn.started", data: { turnId: `turn_${n}`, messageIds: [`m${n}`], origin: "user" } };
  yield { type: "item.started", data: { item: { ...message, status: "in_progress", content: [] } } };
  yield { type: "item.completed", data: { item: { ...message, status: "completed", content: text } } };
  yield { type: "item.started", data: { item: { ...call, status: "in_progress", content: asked } } };
  yield { type: "item.completed", data: { item: { ...call, status: "completed", content: asked } } };
  yield { type: "item.started", data: { item: { ...result, status: "in_progress", content: [] } } };
  yield { type: "item.completed", data: { item: { ...result, status: "completed", content: printed } } };
  yield { type: "turn.ended", data: { turnId: `turn_${n}`, status: "completed", durationMs: 1 } };
}

test.each(Object.keys(converters))(
  "100,000 lines of %s through its writer and its reader keep nothing of what is over",
  { timeout: 240_000 },
  (agent) => {
    const [reader, writer] = [converters[agent]?.events.reader(), converters[agent]?.events.writer()];
    if (!reader || !writer) return expect.fail("no such agent");
    let [lines, events, turns] = [0, 0, 0];
    const goOnTo = (most: number) => {
      for (; lines < most; turns++) {
        for (const body of turn(turns)) {
          for (const line of writer.write(body)) {
            lines++;
            events += reader.line(JSON.stringify(line)).length;
          }
        }
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    writer.write({
      type: "session.started",
      data: { agent, permissionMode: "default", directory: "/", resumed: false },
    });
    const early = goOnTo(20_000);
    const late = goOnTo(100_000);
    expect(events).toBeGreaterThan(turns * 3);
    // Some 20,000 turns more: a single number kept of each would show.
    expect(late - early).toBeLessThan(1024 * 1024);
  },
);
