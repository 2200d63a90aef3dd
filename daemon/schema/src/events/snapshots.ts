import { z } from "zod";

/** Snapshots of a session's directory. One that was taken is not told. */
export const snapshotEvents = {
  "snapshot.skipped": z
    .object({
      turnId: z.string().describe("The turn whose begin or end has no snapshot"),
      moment: z.enum(["begin", "end"]).describe("Before its prompt was given, or at its end"),
      reason: z
        .enum(["unavailable", "timeout", "too_many_files", "too_many_bytes", "no_space", "failed"])
        .describe("Why; unavailable: there can be none of this directory"),
      detail: z.string().describe("Why, in words"),
    })
    .describe("There is no snapshot of the directory; its files cannot be rewound to this moment"),
} as const;
