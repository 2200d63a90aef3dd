import { expect, test } from "vitest";
import { Conversion } from "../../converter/conversion.ts";
import { claudeConverter } from "../converter.ts";

const event = (id: string, event: object, more: object = {}) =>
  JSON.stringify({ type: "stream_event", api_message_id: id, event, ...more });
const begin = (id: string, index: number, block: object) =>
  event(id, { type: "content_block_start", index, content_block: block });
const grow = (id: string, index: number, delta: object) => event(id, { type: "content_block_delta", index, delta });
const stop = (id: string) =>
  event(id, { type: "message_stop" }, { abandoned_blocks: { api_message_id: id, from_block_index: 0 } });
const cutTurn = [
  begin("m1", 0, { type: "text", text: "" }),
  grow("m1", 0, { type: "text_delta", text: "Half a" }),
  begin("m1", 1, { type: "tool_use", id: "t1", name: "Bash", input: {} }),
  grow("m1", 1, { type: "input_json_delta", partial_json: '{"comm' }),
  stop("m1"),
];

function signalsOf(lines: readonly string[]) {
  const conversion = new Conversion(claudeConverter);
  return lines.flatMap((line) => conversion.line(line, []));
}

test("an answer that was cut and is said again is cancelled and names what took its place", () => {
  const again = [
    begin("m2", 0, { type: "text", text: "" }),
    begin("m2", 1, { type: "tool_use", id: "t2", name: "Bash", input: {} }),
  ];
  expect(signalsOf([...cutTurn, ...again]).slice(4)).toMatchObject([
    {
      type: "item.completed",
      data: { item: { itemId: "item_1", status: "cancelled", supersededBy: "item_3", content: [{ text: "Half a" }] } },
    },
    { type: "item.started", data: { item: { itemId: "item_3", kind: "message" } } },
    { type: "item.completed", data: { item: { itemId: "item_2", status: "cancelled", supersededBy: "item_4" } } },
    { type: "item.started", data: { item: { itemId: "item_4", kind: "tool_call" } } },
  ]);
});

test("one that is not said again is left to the end of its turn", () => {
  expect(signalsOf(cutTurn).filter(({ type }) => type === "item.completed")).toEqual([]);
});

test("what the second attempt leaves out is cancelled with it, and no later answer takes its place", () => {
  const call = { type: "tool_use", id: "t2", name: "Bash", input: {} };
  const again = [
    begin("m2", 0, call),
    JSON.stringify({ type: "assistant", message: { id: "m2", content: [call] } }),
    event("m2", { type: "message_stop" }),
  ];
  const later = [begin("m3", 0, { type: "text", text: "" })];
  const completed = signalsOf([...cutTurn, ...again, ...later]).filter(({ type }) => type === "item.completed");
  expect(completed).toMatchObject([
    { data: { item: { itemId: "item_2", status: "cancelled", supersededBy: "item_3" } } },
    { data: { item: { itemId: "item_1", status: "cancelled", content: [{ text: "Half a" }] } } },
  ]);
  expect(completed[1]).not.toHaveProperty("data.item.supersededBy", expect.anything());
});

test("a call that comes whole after all was not cut", () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "ls" } });
  const whole = JSON.stringify({ type: "assistant", message: { id: "m1", content: [call("t1")] } });
  const signals = signalsOf([...cutTurn, whole, begin("m2", 0, call("t2"))]);
  expect(signals.filter(({ type }) => type === "item.completed")).toEqual([]);
});
