import { z } from "zod";

export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  contextTokens: z.int().nonnegative().optional(),
  contextWindow: z.int().positive().optional(),
});
export type Usage = z.infer<typeof Usage>;
