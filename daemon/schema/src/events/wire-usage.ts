import { z } from "zod";

const count = z.int().nonnegative();
const usd = z.number().nonnegative();

const counted = {
  inputTokens: count.describe("Tokens that were sent, those from the cache included"),
  cachedInputTokens: count.describe("Of the tokens sent, those from the cache"),
  outputTokens: count.describe("Tokens that were answered, thoughts included"),
  reasoningTokens: count.describe("Of the tokens answered, those of thoughts"),
  listUsd: usd.describe("What that costs by our table of prices, in US dollars"),
  billedUsd: usd.optional().describe("What the provider says it billed, where it says so"),
};

const requests = count.describe("How many requests were made");
const open = count.optional().describe("Requests that are not over: their input is counted, by estimate");
const estimated = count
  .optional()
  .describe("Requests whose answer told no usage, or was cut: counted by their characters");

export const WireUsage = z
  .object({ requests, ...counted, open, estimated })
  .describe("Model requests as the gateway counted them, whatever the agent says");
export type WireUsage = z.infer<typeof WireUsage>;

export const ModelRequest = z
  .object({
    requestId: z.string().describe("The request's id, in both of its events"),
    state: z.enum(["open", "settled"]).describe("Whether it has begun or is over"),
    provider: z.string().describe("Who was asked"),
    protocol: z.enum(["messages", "responses", "chat", "gemini"]).describe("In which protocol"),
    model: z.string().describe("The model that was asked for"),
    subAgent: z.string().optional().describe("The agent's own name of the sub-agent that asked"),
    ...counted,
    requests: count.describe("1, or 0 for a request that was not made after all"),
    estimated: z.boolean().optional().describe("Counted by estimate; so is one that was open when its daemon died"),
    status: z.int().optional().describe("The status of the answer; absent when there was none"),
    firstByteMs: z.number().nonnegative().optional().describe("Milliseconds to the first byte of the answer"),
    durationMs: z.number().nonnegative().optional().describe("Milliseconds to its end"),
  })
  .describe("A model request: told when it begins, with what its input costs by estimate, and when it is over");
export type ModelRequest = z.infer<typeof ModelRequest>;

export const UsedTokens = z
  .object({
    input: count.describe("Tokens that were sent, those from the cache included"),
    cached: count.describe("Of the tokens sent, those from the cache"),
    output: count.describe("Tokens that were answered, thoughts included"),
    reasoning: count.describe("Of the tokens answered, those of thoughts"),
  })
  .describe("Tokens of model requests");

const spent = {
  requests,
  tokens: UsedTokens,
  listUsd: counted.listUsd,
  billedUsd: counted.billedUsd,
  open,
  estimated,
};

export const ModelUsage = z
  .object({
    provider: z.string().describe("Who was asked"),
    model: z.string().describe("The model that was asked for"),
    ...spent,
  })
  .describe("What requests to one model used and cost");

export const TurnUsage = z
  .object({ turnId: z.string().optional().describe("The turn; absent for what no turn asked for"), ...spent })
  .describe("What the requests of one turn used and cost");

export const SubAgentUsage = z
  .object({ subAgent: z.string().describe("The agent's own name of the sub-agent"), ...spent })
  .describe("What the requests of one sub-agent used and cost");

export const UsageReport = z
  .object({
    ...spent,
    byModel: z.array(ModelUsage).describe("By model"),
    byTurn: z.array(TurnUsage).describe("By turn, the newest 1000"),
    bySubAgent: z.array(SubAgentUsage).describe("Only what sub-agents asked for, by sub-agent"),
  })
  .describe("What a session's model requests used and cost, and whose they were");
export type UsageReport = z.infer<typeof UsageReport>;
