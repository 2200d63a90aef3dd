import { z } from "zod";

/** The mock's `agentOptions`. */
export const MockOptions = z.strictObject({
  shared: z.boolean().optional().describe("Run as one of many sessions on a shared process"),
  start: z.enum(["missing", "crash", "silent"]).optional().describe("Fail to start, in one of three ways"),
  startMs: z.int().positive().max(60_000).optional().describe("How long it may take to start; 10 s by default"),
});
export type MockOptions = z.infer<typeof MockOptions>;
