import { z } from "zod";

const Change = z.object({
  model: z.string().optional(),
  agentMode: z.string().optional(),
  variant: z.string().optional(),
  permissionMode: z.enum(["default", "acceptEdits", "plan", "bypass"]).optional(),
});

/** What goes with a call and is not sent: OpenCode has no place for it. */
export const Aside = z.object({
  messageId: z.string().optional(),
  steer: z.boolean().optional(),
  message: z.string().optional(),
  editedText: z.string().optional(),
});

/** A request to the server, or a change of what the next prompt is sent with. */
export const OpencodeCall = z.union([
  z.object({
    method: z.literal("POST"),
    path: z.string(),
    body: z.record(z.string(), z.unknown()).optional(),
    aside: Aside.optional(),
  }),
  z.object({ change: Change }),
]);
export type OpencodeCall = z.infer<typeof OpencodeCall>;
export type HttpCall = Extract<OpencodeCall, { path: string }>;
