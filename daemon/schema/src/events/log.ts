import { z } from "zod";

export const logEvents = {
  /** Stands for events that cannot be read any more; its sequence is the last of theirs. */
  "log.damaged": z.object({
    from: z.int().positive(),
    to: z.int().positive(),
    bytes: z.int().nonnegative(),
    keptAs: z.string().optional(),
  }),
} as const;
