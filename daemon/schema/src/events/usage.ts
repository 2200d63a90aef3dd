import { z } from "zod";

export const Usage = z
  .object({
    inputTokens: z.int().nonnegative().describe("Tokens the model read, those from the cache included"),
    outputTokens: z.int().nonnegative().describe("Tokens the model wrote, thoughts included"),
    cachedInputTokens: z.int().nonnegative().optional().describe("Of the tokens read, those from the cache"),
    reasoningTokens: z.int().nonnegative().optional().describe("Of the tokens written, those of thoughts"),
    contextTokens: z.int().nonnegative().optional().describe("How full the model's context is"),
    contextWindow: z.int().positive().optional().describe("How much the model's context holds"),
  })
  .describe("Tokens of a turn");
export type Usage = z.infer<typeof Usage>;
