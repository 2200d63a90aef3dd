import { z } from "zod";
import { PlanMark } from "./agents/steps.ts";
import { ToolOutput } from "./messages/tool-output.ts";

// Readers must let unknown fields pass, so every event is a loose object and an unknown type is not an error.
const text = z.string().describe("a piece; pieces of one agent are joined as they come");
const toolName = z.string().describe("the tool, `server__tool` for one of an MCP server");
const toolCallId = z.string().describe("the same in the call, its progress and its result");
const agentId = z.string().describe("who did it: `main-agent`, or the `agentId` of a `subagent_start`").optional();
const parentAgentId = z.string().describe("of a sub-agent: who started it").optional();
const input = z.record(z.string(), z.json());
/** Of `start` and `finish`, where it is the name of a definition. */
const rootAgent = z.string().describe("the agent that answers, such as `base2`").optional();
const sessionId = z.string().describe("the conversation; `--continue <id>` goes on with it").optional();

export const Usage = z.looseObject({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cachedInputTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const FinishStatus = z.enum(["completed", "failed", "cancelled", "timeout", "max_steps"]);
export type FinishStatus = z.infer<typeof FinishStatus>;

/** A permission that waits for a person; it names the call that needs it. */
export const PermissionMark = z.looseObject({
  toolCallId: z.string().describe("the call that needs it; the question's own id is `ask-` and this"),
  action: z.string().describe("`execute`, `edit`, `read`, `fetch`, `mcp` or `other`"),
  title: z.string().describe("the question for people"),
  command: z.string().describe("the command that would run").optional(),
  paths: z.array(z.string()).describe("the files it concerns").optional(),
  diff: z.string().describe("what an edit would change").optional(),
});
export type PermissionMark = z.infer<typeof PermissionMark>;

const StartEvent = z
  .looseObject({
    type: z.literal("start"),
    sessionId,
    agentId: rootAgent,
    model: z.string().describe("its model, as vendor/model").optional(),
    messageHistoryLength: z.int().min(0).describe("messages that were there before this run"),
    messageId: z.string().describe("the message this run answers").optional(),
  })
  .describe("A run begins.");
const TextEvent = z
  .looseObject({ type: z.literal("text"), text, agentId: agentId.describe("missing: the main agent") })
  .describe("Words of the answer.");
const ReasoningEvent = z
  .looseObject({
    type: z.literal("reasoning_delta"),
    text,
    runId: z.string().describe("the run of the agent that thinks"),
    ancestorRunIds: z.array(z.string()).describe("the runs above it, the first one first"),
    agentId,
  })
  .describe("Words of the model's thinking.");
const ToolCallEvent = z
  .looseObject({
    type: z.literal("tool_call"),
    toolCallId,
    toolName,
    input: input.describe("its arguments"),
    agentId,
    parentAgentId,
    includeToolCall: z.boolean().describe("`false`: made by the agent's program and hidden from the model").optional(),
    repaired: z.array(z.string()).describe("what had to be mended before the arguments could be read").optional(),
    // Only on ask_user, and never from the model's own input.
    plan: PlanMark.describe("on `ask_user`: a plan waits for an answer").optional(),
    permission: PermissionMark.describe("on `ask_user`: a permission waits for an answer").optional(),
  })
  .describe("A tool is called. `ask_user` waits for a `tool_result` line on standard input.");
const ToolProgressEvent = z
  .looseObject({
    type: z.literal("tool_progress"),
    toolCallId,
    toolName,
    output: z.string().describe("a piece of its output; pieces are joined as they come"),
    agentId,
    parentAgentId,
  })
  .describe("Output of a tool that still works.");
const ToolResultEvent = z
  .looseObject({
    type: z.literal("tool_result"),
    toolCallId,
    toolName,
    output: ToolOutput.describe(
      'parts `{type: "json", value}` and `{type: "media", data, mediaType}`; a failure has `errorMessage` in its value',
    ),
    durationMs: z
      .number()
      .min(0)
      .describe("what the call took by itself, without its neighbours and without the time a person was asked")
      .optional(),
    agentId,
    parentAgentId,
  })
  .describe("A tool has ended. Every call has exactly one.");
const subagent = {
  agentId: z.string().describe("of this sub-agent; its own events carry it"),
  agentType: z.string().describe("the id of its definition"),
  displayName: z.string().describe("its name for people"),
  onlyChild: z.boolean().describe("no other was started by the same call"),
  model: z.string().describe("its model, as vendor/model").optional(),
  parentAgentId,
  params: input.describe("what it was given beside the prompt").optional(),
  prompt: z.string().describe("what it was told").optional(),
  runId: z.string().describe("its run").optional(),
  toolCallId: z.string().describe("the call that started it").optional(),
};
const SubagentStartEvent = z
  .looseObject({ type: z.literal("subagent_start"), ...subagent })
  .describe("A sub-agent begins.");
const SubagentFinishEvent = z
  .looseObject({ type: z.literal("subagent_finish"), ...subagent })
  .describe("A sub-agent has ended.");
const ErrorEvent = z
  .looseObject({
    type: z.literal("error"),
    message: z.string().describe("for people"),
    code: z.string().describe("for programs, such as `no_credentials`, `out_of_credits`, `bad_input`").optional(),
    fatal: z.boolean().describe("`false`: the run goes on").optional(),
    statusCode: z.int().describe("of the service that refused").optional(),
    agentId,
    characters: z
      .int()
      .min(0)
      .describe("with code `withdrawn`, when a step is tried again: so many last characters of this agent do not count")
      .optional(),
    toolCallIds: z.array(z.string()).describe("with code `withdrawn`: these calls do not count").optional(),
  })
  .describe("Something went wrong.");
const DownloadEvent = z
  .looseObject({
    type: z.literal("download"),
    version: z.string().describe("of what was fetched"),
    status: z.enum(["complete", "failed"]).describe("how that ended"),
  })
  .describe("A program was fetched before the run. The vendor's command tells this; ours fetches nothing.");
const FinishEvent = z
  .looseObject({
    type: z.literal("finish"),
    sessionId,
    agentId: rootAgent,
    totalCost: z.number().min(0).describe("in credits, whole ones; one is a US cent"),
    totalCostUsd: z.number().min(0).describe("in US dollars, exact; sub-agents and tools included").optional(),
    status: FinishStatus.describe("how it ended").optional(),
    usage: Usage.describe("tokens of all its calls of a model").optional(),
    entry: z
      .int()
      .min(0)
      .describe("in the kept-open form: the last entry of the session file, for a `rewind` to the end of this run")
      .optional(),
    steps: z.int().min(0).describe("steps of the main agent's model").optional(),
    costUnknown: z.boolean().describe("a model without a known price took part; the cost is what is known").optional(),
    costEstimated: z
      .boolean()
      .describe("an answer broke off before its service told what it cost; its part is reckoned by its length")
      .optional(),
  })
  .describe("The run is over. Always comes, also after an error.");

/** One line of `--stream-json`. The first of a run is `start` (a `download` may stand before it), the last is `finish`. */
export const PrintModeEvent = z.discriminatedUnion("type", [
  StartEvent,
  TextEvent,
  ReasoningEvent,
  ToolCallEvent,
  ToolProgressEvent,
  ToolResultEvent,
  SubagentStartEvent,
  SubagentFinishEvent,
  ErrorEvent,
  DownloadEvent,
  FinishEvent,
]);
export type PrintModeEvent = z.infer<typeof PrintModeEvent>;
export type PrintModeEventOf<Type extends PrintModeEvent["type"]> = Extract<PrintModeEvent, { type: Type }>;
