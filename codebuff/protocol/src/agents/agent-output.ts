import { z } from "zod";
import { Message } from "../messages/history.ts";

/**
 * What a run ends with. `lastMessage` holds the trailing assistant messages with their tool results, `allMessages` the
 * whole history without its first message. In an error `error` is the machine's word (`out_of_credits`, `cancelled`, …).
 */
export const AgentOutput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("structuredOutput"), value: z.record(z.string(), z.json()).nullable() }),
  z.object({ type: z.literal("lastMessage"), value: z.array(Message) }),
  z.object({ type: z.literal("allMessages"), value: z.array(Message) }),
  z.object({
    type: z.literal("error"),
    message: z.string(),
    statusCode: z.int().optional(),
    error: z.string().optional(),
  }),
]);
export type AgentOutput = z.infer<typeof AgentOutput>;

/** The text a person would read: what the assistant wrote, the structured value as JSON, or the error. */
export function outputText(output: AgentOutput): string {
  switch (output.type) {
    case "structuredOutput":
      return output.value === null ? "" : JSON.stringify(output.value);
    case "error":
      return output.message;
    case "lastMessage":
    case "allMessages":
      return output.value.flatMap(assistantText).join("\n");
  }
}

function assistantText(message: Message): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}
