import { z } from "zod";
import { Item } from "../item.ts";

export const itemEvents = {
  "item.started": z
    .object({ item: Item.describe("The item as it begins; its content grows by item.delta") })
    .describe("Something new in the turn has begun: a text, a thought, a tool call"),
  "item.delta": z
    .object({
      itemId: z.string().describe("The item that grows"),
      index: z.int().nonnegative().describe("Which of the item's parts grows, counted from 0"),
      part: z
        .enum(["text", "reasoning", "input", "output"])
        .describe("What grows: a text, a thought, the input of a tool call, or the output of a tool that runs"),
      delta: z.string().describe("The next piece; pieces in a row make the whole"),
    })
    .describe("A piece of an item that is still being written; left out with deltas=false"),
  "item.completed": z
    .object({ item: Item.describe("The whole item, with its final content and status") })
    .describe("An item is finished: this is all of it, whether or not pieces came before"),
} as const;
