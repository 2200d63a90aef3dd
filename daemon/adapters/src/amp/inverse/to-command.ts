import { z } from "zod";
import type { Command } from "../../commands.ts";
import { PromptLine } from "../wire/native.ts";
import { attachmentIn } from "../write/attachment-text.ts";

const Answer = z.object({
  type: z.literal("permission_response"),
  request_id: z.string(),
  decision: z.enum(["allow", "reject"]),
});
const Interrupt = z.object({ type: z.literal("interrupt") });

/** The way back: the command a line was made from. Lines to Amp do not name the message they are. */
export function commandOf(line: unknown): Command | null {
  const prompt = PromptLine.safeParse(line);
  if (prompt.success) {
    const [words, ...files] = prompt.data.message.content.map((block) => block.text);
    const attachments = files.flatMap((text) => attachmentIn(text) ?? []);
    return { type: "message", messageId: "", text: words ?? "", attachments };
  }
  const answer = Answer.safeParse(line);
  if (answer.success) {
    return { type: "permission", requestKey: answer.data.request_id, decision: answer.data.decision };
  }
  return Interrupt.safeParse(line).success ? { type: "interrupt" } : null;
}
