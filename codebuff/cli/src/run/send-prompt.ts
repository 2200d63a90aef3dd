import type { RunState } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { Settings } from "../run-options.ts";
import type { Entry } from "../transcript/items.ts";
import type { Conversation } from "./conversation.ts";
import { prepareUserMessage, type UserInput } from "./prepare-user-message.ts";
import { handleRunCompletion, type Remark } from "./run-completion.ts";
import { type StreamingContext, setupStreamingContext } from "./streaming-context.ts";

/** Where a prompt goes: what it is told, and who is told what comes of it. */
export interface PromptWay {
  readonly input: UserInput;
  readonly settings: Settings;
  readonly agent?: string;
  readonly agentMode?: boolean;
  readonly budgetUsd?: number;
  readonly timeoutMs?: number;
  readonly onEntry: (entry: Entry) => void;
  readonly onJoined: (messageId: string) => void;
  readonly onTick: () => void;
  /** The run can be stopped and steered from now on. */
  readonly onBegin: (context: StreamingContext) => void;
}

/** The way of a prompt, from Enter to the line with its time and cost. Never rejects: what goes wrong is told. */
export async function sendPrompt(conversation: Conversation, way: PromptWay): Promise<RunState | undefined> {
  const { settings, agent, agentMode, budgetUsd, onEntry, onJoined, onTick, timeoutMs } = way;
  const remark = ({ tone, text }: Remark) => onEntry({ type: "remark", tone, text, at: Date.now() });
  const { prompt, content, entry } = prepareUserMessage(way.input);
  onEntry(entry);
  const context = setupStreamingContext({ onEntry, onJoined, onTick, timeoutMs });
  way.onBegin(context);
  try {
    const { messageId } = way.input;
    const state = await conversation.run(
      { prompt, content, messageId, settings, agent, agentMode, budgetUsd },
      context,
    );
    const told = handleRunCompletion(state);
    if (told !== undefined) remark(told);
    return state;
  } catch (error) {
    remark({ tone: "error", text: messageOf(error) });
    return undefined;
  } finally {
    context.close();
  }
}
