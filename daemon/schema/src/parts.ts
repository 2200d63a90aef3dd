import { z } from "zod";

/** The same for all agents, so that an interface can draw a tool without knowing who called it. */
export const ToolKind = z
  .enum(["read", "edit", "execute", "search", "fetch", "think", "agent", "other"])
  .describe("What kind of tool it is, the same words for all agents");
export type ToolKind = z.infer<typeof ToolKind>;

export const TextPart = z
  .object({
    type: z.literal("text").describe("A text"),
    text: z.string().describe("The text, as Markdown"),
  })
  .describe("A text that was said");
export const ReasoningPart = z
  .object({
    type: z.literal("reasoning").describe("A thought"),
    text: z.string().describe("The thought, or the provider's summary of it"),
    visibility: z.enum(["public", "private"]).describe("Whether the agent shows it to its own users"),
  })
  .describe("What the model thinks before it speaks or acts");
export const ToolCallPart = z
  .object({
    type: z.literal("tool_call").describe("A tool call"),
    callId: z.string().describe("The call's id, by which its result is found"),
    name: z.string().describe("The tool as the agent names it"),
    toolKind: ToolKind,
    input: z.unknown().describe("What the tool is given; its form is the tool's own"),
    title: z.string().optional().describe("The call in a few words, for people"),
  })
  .describe("The agent uses a tool");
export const ToolResultPart = z
  .object({
    type: z.literal("tool_result").describe("The result of a tool call"),
    callId: z.string().describe("The call it answers"),
    output: z.string().describe("What the tool gave, as text"),
    isError: z.boolean().describe("Whether the tool failed"),
    exitCode: z.int().optional().describe("The exit code, where the tool was a command"),
    json: z.unknown().optional().describe("What the tool gave, where it is a value"),
  })
  .describe("What a tool gave");
export const FilePart = z
  .object({
    type: z.literal("file").describe("A file the agent touched"),
    path: z.string().describe("Its path on the daemon's machine"),
    action: z.enum(["read", "write", "patch", "delete"]).describe("What was done with it"),
    diff: z.string().optional().describe("The change as a unified diff"),
  })
  .describe("A file that was read or changed");
export const ImagePart = z
  .object({
    type: z.literal("image").describe("A picture"),
    mime: z.string().describe("Its media type, such as image/png"),
    data: z.string().optional().describe("Its content in base64"),
    path: z.string().optional().describe("Where it lies on the daemon's machine"),
  })
  .describe("A picture");
export const PlanPart = z
  .object({
    type: z.literal("plan").describe("A plan"),
    text: z.string().describe("The plan, as Markdown"),
  })
  .describe("A plan that the agent proposes");
export const StatusPart = z
  .object({
    type: z.literal("status").describe("A notice"),
    label: z.string().describe("The notice in a few words"),
    detail: z.string().optional().describe("More of it"),
  })
  .describe("A notice of the agent, such as that it shortens its context");
export const JsonPart = z
  .object({
    type: z.literal("json").describe("A value"),
    json: z.unknown().describe("The value"),
  })
  .describe("A value without a form of its own");

export const Part = z
  .discriminatedUnion("type", [
    TextPart,
    ReasoningPart,
    ToolCallPart,
    ToolResultPart,
    FilePart,
    ImagePart,
    PlanPart,
    StatusPart,
    JsonPart,
  ])
  .describe("One piece of an item's content; type says which");
export type Part = z.infer<typeof Part>;
