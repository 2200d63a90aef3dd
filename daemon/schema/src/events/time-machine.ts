import { z } from "zod";
import { HandOverHow } from "../time-machine.ts";

/** Where a turn stands in the agent's own history. */
export const TurnPlace = z
  .object({
    first: z.string().optional().describe("The agent's name of the first thing in it"),
    last: z.string().optional().describe("The agent's name of the last thing in it"),
  })
  .describe("Where a turn stands in the agent's own history: what a rewind drops, and what it keeps");
export type TurnPlace = z.infer<typeof TurnPlace>;

export const timeMachineEvents = {
  "session.rewound": z
    .object({
      toTurn: z.int().nonnegative().describe("The turn after which the session goes on; 0 is the beginning"),
      turns: z.array(z.string()).describe("The turns that the conversation now goes without, or with undone has again"),
      chat: z.boolean().describe("Whether the conversation was rewound"),
      files: z.boolean().describe("Whether the files were rewound"),
      paths: z.array(z.string()).optional().describe("The files that were changed; the first 1000"),
      undone: z
        .boolean()
        .optional()
        .describe("true: a rewind was taken back, the turns are part of the conversation again"),
      token: z.string().describe("With which this rewind is taken back, or which one was"),
      fileUndo: z.string().optional().describe("By which the store of the files knows the way back"),
      nativeSessionId: z
        .string()
        .optional()
        .describe("The agent's own id of the conversation from now on; with chat and without it a new one begins"),
      places: z
        .array(TurnPlace)
        .optional()
        .describe("Where the turns that are left stand in it, in their order, where that has changed"),
    })
    .describe(
      "The session was taken back to the end of an earlier turn, or that was undone; what was said stays in the log",
    ),
  "session.forked": z
    .object({
      from: z.string().describe("The session whose events stand before this one"),
      at: z.int().nonnegative().describe("After which of its turns; 0 is the beginning"),
      directory: z.string().describe("Where the session works from now on"),
      nativeSessionId: z.string().optional().describe("The agent's own id of the conversation from now on"),
      places: z
        .array(TurnPlace)
        .optional()
        .describe("Where the turns stand in it, in their order, where that has changed"),
    })
    .describe("Here a session begins that goes on from a turn of another one; the events before are that one's"),
  "agent.changed": z
    .object({
      from: z.string().describe("The agent that worked in the session"),
      to: z.string().describe("The agent that works in it from now on"),
      model: z.string().optional().describe("Its model, where one was named"),
      how: HandOverHow,
      notCarried: z.array(z.string()).describe("What the new agent does not know of"),
      nativeSessionId: z.string().optional().describe("The new agent's own id of the conversation"),
    })
    .describe("Another agent goes on with the session"),
} as const;
