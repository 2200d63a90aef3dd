import { z } from "zod";

export const logEvents = {
  "log.damaged": z
    .object({
      from: z.int().positive().describe("The first sequence that cannot be read"),
      to: z.int().positive().describe("The last sequence that cannot be read"),
      bytes: z.int().nonnegative().describe("How many bytes of the log they were"),
      keptAs: z.string().optional().describe("The file in which the unreadable bytes were kept"),
    })
    .describe("Stands for events that cannot be read any more; its sequence is the last of theirs"),
} as const;
