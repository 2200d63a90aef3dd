import { quoteForShell } from "@muster/core";
import type { ScriptedLlm } from "@muster/scripted-llm";

/** A model that calls one command, the scripted agent's work, and says that it is done. */
export async function startScriptedModel(work: string): Promise<ScriptedLlm> {
  const { startScriptedLlm } = await import("@muster/scripted-llm");
  const command = `bash -c ${quoteForShell(work)}`;
  // Titles and the like, which agents ask for beside the conversation, offer no tool at all.
  const asides = { match: { not: { offersTool: "/./" } }, turns: [{ text: "A task", times: "always" as const }] };
  const turns = [{ tools: [{ name: "run_command", input: { command } }] }, { text: "Done.", times: "always" as const }];
  return startScriptedLlm({ script: { conversations: [asides, { turns }] } });
}

/** What an agent is told of a scripted model: a key of the form by which it chooses its protocol, and a model where it has no default. */
export function scriptedAccess(agent: string): { token: string; model?: string } {
  if (agent === "codex") return { token: "sk-scripted-0000" };
  return { token: "sk-ant-scripted-0000", ...(agent === "opencode" ? { model: "scripted/m1" } : {}) };
}
