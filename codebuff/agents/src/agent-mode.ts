import { agentModeId } from "@muster/codebuff-protocol";
import { define } from "./define.ts";
import { models } from "./models.ts";

/** The agent of `/agent`: one model, one terminal, calls as XML in its text. Its prompt is made by the runtime. */
export const agentModeManager = define({
  id: agentModeId,
  displayName: "Codebuff Agent",
  model: models.agentMode,
  toolCallFormat: "xml",
  toolNames: [
    "run_terminal_command",
    "read_files",
    "write_file",
    "code_search",
    "add_subgoal",
    "update_subgoal",
    "end_turn",
  ],
});
