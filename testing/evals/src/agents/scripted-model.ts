import type { ScriptedLlm } from "@muster/scripted-llm";

/** A model that calls one command, the scripted agent's work, and says that it is done. */
export async function startScriptedModel(work: string): Promise<ScriptedLlm> {
  const { startScriptedLlm } = await import("@muster/scripted-llm");
  const command = `bash -c '${work.replaceAll("'", "'\\''")}'`;
  return startScriptedLlm({
    script: {
      conversations: [
        // Titles and the like, which agents ask for beside the conversation, offer no tool for commands.
        {
          name: "work",
          match: { offersTool: "run_command" },
          turns: [{ tools: [{ name: "run_command", input: { command } }] }, { text: "Done.", times: "always" }],
        },
        { name: "beside", turns: [{ text: "A task", times: "always" }] },
      ],
    },
  });
}

/** The model to name where an agent has no default for an address of one's own. */
export const scriptedModelNames: Readonly<Record<string, string | undefined>> = { opencode: "scripted/m1" };
