import { writeHookContext } from "@muster/codebuff-protocol";
import type { Hooks } from "./hooks.ts";

/** What hooks say of a prompt before the model reads it. */
export interface HookedPrompt {
  /** For the model, beside the prompt. */
  readonly context: readonly string[];
  /** Why the prompt is not sent. */
  readonly block: string | undefined;
}

/** `source` is given where a session begins with this prompt. */
export async function hookPrompt(
  hooks: Hooks,
  { prompt, source }: { prompt: string; source: "startup" | "resume" | "clear" | undefined },
): Promise<HookedPrompt> {
  const begun = source === undefined ? undefined : await hooks.fire("SessionStart", { source }, [source]);
  const sent = await hooks.fire("UserPromptSubmit", { prompt });
  return {
    context: [...(begun?.context ?? []), ...sent.context],
    block: sent.block ?? sent.stop ?? begun?.stop,
  };
}

/** Beside the prompt, where whoever shows the conversation can tell it from the words of the person. */
export function contextPart(context: readonly string[]): { type: "text"; text: string } {
  return { type: "text", text: writeHookContext(context) };
}
