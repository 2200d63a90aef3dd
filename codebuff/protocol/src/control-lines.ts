import { z } from "zod";
import { ImagePart, TextPart } from "./messages/history.ts";
import { ToolOutput } from "./messages/tool-output.ts";
import { ModeName } from "./modes.ts";

/** What a run's process takes on stdin, one per line. While idle a user message begins a run, while running it steers. */
export const ControlLine = z.discriminatedUnion("type", [
  z
    .looseObject({
      type: z.literal("user_message"),
      messageId: z.string().min(1).describe("yours; the run that answers names it in `start`").optional(),
      text: z.string().describe("the prompt; `/agent ` in front makes it a task of agent mode"),
      content: z
        .array(z.discriminatedUnion("type", [TextPart, ImagePart]))
        .describe('more parts: `{type: "text", text}` and `{type: "image", image, mediaType}` in base64')
        .optional(),
      mode: ModeName.describe("for this message only").optional(),
    })
    .describe("While nothing runs it begins a run. While one runs it joins that at the next step."),
  z
    .looseObject({
      type: z.literal("tool_result"),
      toolCallId: z.string().describe("of the `ask_user` call"),
      output: ToolOutput.describe('one part `{type: "json", value}` with the answer'),
    })
    .describe("Answers an open `ask_user`: a question, a permission or a plan."),
  z.looseObject({ type: z.literal("cancel") }).describe("Ends the run that is going on; `finish` follows."),
  z
    .looseObject({
      type: z.literal("update"),
      model: z.string().describe("as vendor/model").optional(),
      variant: z.string().describe("`low`, `medium` or `high`").optional(),
      mode: ModeName.describe("the mode").optional(),
      permissions: z.string().describe("the policy").optional(),
    })
    .describe("Changes settings from the next run on. Only in the kept-open form."),
  z
    .looseObject({
      type: z.literal("rewind"),
      to: z.int().min(0).describe("the `entry` of a `finish`; 0 is the beginning"),
    })
    .describe("Takes everything after that entry out of the conversation; `rewound` answers. Only while nothing runs."),
]);
export type ControlLine = z.infer<typeof ControlLine>;

/** First line of a kept-open process. */
export const ReadyLine = z
  .looseObject({
    type: z.literal("ready"),
    sessionId: z.string().describe("the conversation"),
    version: z.string().describe("of the command"),
    cwd: z.string().describe("where it works; paths in its lines are relative to it"),
    model: z.string().describe("the model of the main agent"),
    agentId: z.string().describe("the agent that answers"),
    mode: ModeName.describe("the mode it begins in"),
    messageHistoryLength: z.int().min(0).describe("messages that are there already"),
    contextLost: z.boolean().describe("`--continue` found no such conversation, and this one is new").optional(),
  })
  .describe("The first line of a kept-open process: credentials and settings are good.");
export type ReadyLine = z.infer<typeof ReadyLine>;

/** The answer to a `rewind`. */
export const RewoundLine = z
  .looseObject({
    type: z.literal("rewound"),
    to: z.int().min(0).describe("the entry after which the conversation goes on"),
    entry: z.int().min(0).describe("the last entry of the session file now"),
    messageHistoryLength: z.int().min(0).describe("messages that are left"),
  })
  .describe("The conversation goes on after an earlier entry. Files are untouched.");
export type RewoundLine = z.infer<typeof RewoundLine>;

/** A message that came while a run was going on. */
export const JoinedLine = z
  .looseObject({
    type: z.literal("user_message_joined"),
    messageId: z.string().describe("of that message"),
  })
  .describe("A message that came during a run is in the model's history now.");
export type JoinedLine = z.infer<typeof JoinedLine>;
