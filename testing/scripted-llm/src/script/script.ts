import { z } from "zod";
import { agentNames } from "../request/agent-names.ts";
import type { ModelRequest } from "../request/model-request.ts";
import { Fault } from "./faults.ts";
import { TextPattern } from "./text-pattern.ts";

const patternFields = {
  user: TextPattern.optional(),
  firstUser: TextPattern.optional(),
  system: TextPattern.optional(),
  toolResult: TextPattern.optional(),
  model: TextPattern.optional(),
  offersTool: TextPattern.optional(),
  body: TextPattern.optional(),
  agent: TextPattern.optional(),
  protocol: TextPattern.optional(),
  header: z.record(z.string(), TextPattern).optional(),
  firstUserSha256: z.string().optional(),
};

/** What a request looks like. Used for `match` (who is meant) and for `expect` (what must be so). */
export const RequestPattern = z.strictObject({ ...patternFields, not: z.strictObject(patternFields).optional() });
export type RequestPattern = z.infer<typeof RequestPattern>;

/** How text is cut and how long each piece waits. */
export const Pace = z.strictObject({
  chars: z.int().positive().max(100_000).optional(),
  delayMs: z.int().nonnegative().max(60_000).optional(),
});
export type Pace = z.infer<typeof Pace>;

const ChunkedText = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "expected a text or a list of chunks",
});

export const ToolCall = z.strictObject({
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()).optional(),
  /** A free-form tool's input (Responses `custom_tool_call`). */
  text: z.string().optional(),
  id: z.string().min(1).optional(),
  namespace: z.string().min(1).optional(),
  /** The name is the agent's own, although the table of neutral names has it too. */
  native: z.boolean().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

const Part = z.union(
  [
    z.strictObject({ text: ChunkedText }),
    z.strictObject({ reasoning: ChunkedText, signature: z.string().optional() }),
    z.strictObject({ tool: ToolCall }),
  ],
  { error: "expected one of {text}, {reasoning, signature?}, {tool}" },
);
export type Part = z.infer<typeof Part>;

/** `input` is everything the model read, cached tokens included, whatever the protocol calls it. */
export const ScriptedUsage = z
  .strictObject({
    input: z.int().nonnegative(),
    output: z.int().nonnegative(),
    cachedInput: z.int().nonnegative().optional(),
    cacheWrite: z.int().nonnegative().optional(),
    reasoning: z.int().nonnegative().optional(),
    cost: z.number().nonnegative().optional(),
  })
  .refine((usage) => (usage.cachedInput ?? 0) + (usage.cacheWrite ?? 0) <= usage.input, {
    path: ["input"],
    error: "must include cachedInput and cacheWrite",
  })
  .refine((usage) => (usage.reasoning ?? 0) <= usage.output, { path: ["output"], error: "must include reasoning" });
export type ScriptedUsage = z.infer<typeof ScriptedUsage>;

export const StopReason = z.enum(["end", "tool", "length", "refusal", "stop_sequence"]);
export type StopReason = z.infer<typeof StopReason>;

/** A reply served byte for byte: what `record` writes and what a fixed route answers. */
export const RawReply = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(""),
  encoding: z.enum(["utf8", "base64"]).default("utf8"),
  /** The connection was cut after the last byte. */
  cut: z.boolean().default(false),
});
export type RawReply = z.infer<typeof RawReply>;

const contentFields = ["text", "reasoning", "tools", "parts"] as const;

export const Turn = z
  .strictObject({
    match: RequestPattern.optional(),
    expect: RequestPattern.optional(),
    text: ChunkedText.optional(),
    reasoning: ChunkedText.optional(),
    tools: z.array(ToolCall).min(1).optional(),
    /** The same contents in an order of their own; instead of text, reasoning and tools. */
    parts: z.array(Part).min(1).optional(),
    pace: Pace.optional(),
    usage: ScriptedUsage.optional(),
    stop: StopReason.optional(),
    fault: Fault.optional(),
    times: z.union([z.int().positive(), z.literal("always")], { error: 'expected a count or "always"' }).optional(),
    recorded: RawReply.optional(),
    requestSha256: z.string().optional(),
  })
  .superRefine((turn, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const content = contentFields.filter((field) => turn[field] !== undefined);
    if (turn.recorded !== undefined) {
      if (content.length > 0 || turn.fault !== undefined)
        complain("recorded", "stands alone, without content or fault");
      return;
    }
    if (turn.parts !== undefined && content.length > 1) complain("parts", "replaces text, reasoning and tools");
    if (content.length === 0 && turn.fault?.kind !== "status" && turn.fault?.kind !== "error_event") {
      complain("text", "a turn needs text, reasoning, tools, parts, recorded or a status fault");
    }
    if (turn.fault?.kind === "status" && content.length > 0) complain("fault", "a status has no content beside it");
    const tools = turn.tools?.length ?? turn.parts?.filter((part) => "tool" in part).length ?? 0;
    if (turn.fault?.kind === "duplicate_tool_ids" && tools < 2) complain("fault", "needs two tool calls");
    if (turn.fault?.kind === "invalid_arguments" && tools < 1) complain("fault", "needs a tool call");
    for (const [index, tool] of (turn.tools ?? []).entries()) {
      if (tool.input !== undefined && tool.text !== undefined)
        complain(`tools[${index}]`, "has input or text, not both");
    }
  });
export type Turn = z.infer<typeof Turn>;
export type TurnInput = z.input<typeof Turn>;

/** A turn written in TypeScript: sees the request and returns the turn. Asked once per serving. */
export type TurnFunction = (request: ModelRequest) => TurnInput;

const TurnOrFunction = z.union([z.custom<TurnFunction>((value) => typeof value === "function"), Turn]);

export const Conversation = z.strictObject({
  name: z.string().min(1).optional(),
  match: RequestPattern.optional(),
  /** `prompt`: every new user message starts the turns anew. Default `session`. */
  each: z.enum(["session", "prompt"]).optional(),
  /** Serves only one live conversation; the next one goes to the next conversation that matches. */
  once: z.boolean().optional(),
  turns: z.array(TurnOrFunction).min(1),
});
export type Conversation = z.infer<typeof Conversation>;

/** A fixed answer of any other path, for what an agent asks beside the model. */
const Route = RawReply.extend({ method: z.string().min(1).default("GET"), path: z.string().startsWith("/") });

export const Script = z
  .strictObject({
    name: z.string().optional(),
    /** Forces the column of the tool table; otherwise each request tells. */
    agent: z.enum(agentNames).optional(),
    models: z.array(z.string().min(1)).min(1).optional(),
    variables: z.record(z.string().regex(/^\w+$/), z.string()).optional(),
    pace: Pace.optional(),
    routes: z.array(Route).optional(),
    conversations: z.array(Conversation),
  })
  .refine((script) => script.conversations.length > 0 || (script.routes?.length ?? 0) > 0, {
    path: ["conversations"],
    error: "a script needs a conversation or a route",
  });
export type Script = z.infer<typeof Script>;
export type ScriptInput = z.input<typeof Script>;

/** Gives a script written in TypeScript its type; it is validated when the server starts. */
export function defineScript(script: ScriptInput): ScriptInput {
  return script;
}
