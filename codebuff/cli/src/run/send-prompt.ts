import type { RunState } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { Entry } from "../transcript/items.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { prepareUserMessage, type UserInput } from "./prepare-user-message.ts";
import { handleRunCompletion, type Remark } from "./run-completion.ts";
import { StreamingContext } from "./streaming-context.ts";

export { StreamingContext };

/** A prompt of the person: what they typed, and how it is sent. */
export type SentInput = Pick<Turn, "settings" | "agent" | "agentMode"> & { readonly input: UserInput };

/**
 * The way of a prompt, from Enter to the line with its time and cost, as entries of the transcript. Never throws: what goes
 * wrong is told. Returns the state of the run; undefined when there was none.
 */
export async function* sendPrompt(
  conversation: Conversation,
  { input, ...how }: SentInput,
  context: StreamingContext,
): AsyncGenerator<Entry, RunState | undefined, void> {
  const { prompt, content, entry } = prepareUserMessage(input);
  yield entry;
  try {
    const { stopper, steering } = context;
    const events = conversation.run({ prompt, content, messageId: input.messageId, ...how, stopper, steering });
    for (;;) {
      const next = await events.next();
      if (next.done) {
        const told = handleRunCompletion(next.value.state);
        if (told !== undefined) yield remark(told);
        return next.value.state;
      }
      const event = next.value;
      context.lastAt = Date.now();
      // Nothing is added after an interrupt but the end itself.
      if (stopper.reason !== undefined && (event.type === "text" || event.type === "reasoning_delta")) continue;
      yield { ...event, at: context.lastAt };
    }
  } catch (error) {
    yield remark({ tone: "error", text: messageOf(error) });
    return undefined;
  } finally {
    context.close();
  }
}

function remark({ tone, text }: Remark): Entry {
  return { type: "remark", tone, text, at: Date.now() };
}
