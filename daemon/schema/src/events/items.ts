import { z } from "zod";
import { Item } from "../item.ts";

export const itemEvents = {
  "item.started": z.object({ item: Item }),
  "item.delta": z.object({
    itemId: z.string(),
    index: z.int().nonnegative(),
    part: z.enum(["text", "reasoning", "input", "output"]),
    delta: z.string(),
  }),
  "item.completed": z.object({ item: Item }),
} as const;
