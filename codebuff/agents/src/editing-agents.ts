import type { AgentDefinition } from "@muster/codebuff-protocol";
import { define, promptInput } from "./define.ts";
import { models } from "./models.ts";
import { bestOfN } from "./steps/best-of-n-steps.ts";
import { editFiles, proposeEdits } from "./steps/editor-steps.ts";

/** They see the whole conversation under the same system prompt, so that its cached prefix is used again. */
const insider = {
  includeMessageHistory: true,
  inheritParentSystemPrompt: true,
  outputMode: "structured_output" as const,
};

const how =
  "Make all edits that the request needs in this one response, every file complete: nothing is left for later, no placeholders. Use only the editing tools. Say in one or two sentences what you did.";

export const editingAgents: readonly AgentDefinition[] = [
  define({
    id: "editor",
    displayName: "Editor",
    model: models.large,
    spawnerPrompt:
      "Makes a set of edits at once and gives back their diffs. Sees this conversation; say exactly what to change.",
    inputSchema: promptInput("What to change"),
    ...insider,
    toolNames: ["str_replace", "write_file", "apply_patch"],
    instructionsPrompt: how,
    handleSteps: editFiles,
  }),
  define({
    id: "best-of-n-editor",
    displayName: "Best-of-N editor",
    model: models.largest,
    spawnerPrompt:
      "Has several editors propose the change, picks the best proposal and makes its edits. Sees this conversation; say exactly what to change.",
    inputSchema: {
      ...promptInput("What to change"),
      params: {
        type: "object",
        properties: {
          n: { type: "integer", minimum: 2, maximum: 6, description: "How many proposals; 3 when left out" },
        },
      },
    },
    ...insider,
    toolNames: ["spawn_agents", "str_replace", "write_file"],
    spawnableAgents: ["editor-proposal", "best-of-n-selector"],
    handleSteps: bestOfN,
  }),
  define({
    id: "editor-proposal",
    displayName: "Proposing editor",
    model: models.largest,
    spawnerPrompt: "Proposes a set of edits without making them.",
    inputSchema: promptInput("What to change"),
    ...insider,
    toolNames: ["propose_str_replace", "propose_write_file"],
    instructionsPrompt: `${how} Nothing is written yet: your edits are a proposal that will be compared with others.`,
    handleSteps: proposeEdits,
  }),
  define({
    id: "best-of-n-selector",
    displayName: "Selector",
    model: models.large,
    spawnerPrompt: "Picks the best of several proposals.",
    inputSchema: promptInput("The task and the proposals"),
    outputMode: "structured_output",
    outputSchema: {
      type: "object",
      properties: {
        choice: { type: "integer", description: "Number of the best proposal" },
        reason: { type: "string" },
      },
      required: ["choice", "reason"],
    },
    toolNames: ["set_output"],
    systemPrompt: "You compare proposed changes to a program.",
    instructionsPrompt:
      "Pick the proposal that does all of what was asked, is right in the edge cases, fits the project and is simple; in this order. Give its number and the reason in one sentence.",
  }),
];
