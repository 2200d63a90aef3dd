import type { AgentDefinitionInput, HandleSteps } from "@muster/codebuff-protocol";

/** How the recorded runs were set up. What is not here had one agent with every tool and one helper. */
export interface Scenario {
  readonly agent?: Partial<AgentDefinitionInput>;
  readonly helpers?: readonly AgentDefinitionInput[];
  readonly agentId?: string;
  readonly maxSteps?: number;
  readonly knowledgeFiles?: Readonly<Record<string, string>>;
  readonly custom?: "answers" | "throws";
  /** Aborts after so many text chunks. */
  readonly abortAfter?: number;
  /** Aborts so many milliseconds after the start. */
  readonly abortMs?: number;
}

const schema = { type: "object" as const, properties: { x: { type: "number" } }, required: ["x"] };

const goldenSteps: HandleSteps = function* () {
  yield { toolName: "read_files", input: { paths: ["src/a.ts"] } };
  const reply = yield "STEP";
  const input = { command: "echo not-in-toolNames" };
  yield { toolName: "run_terminal_command", input, includeToolCall: false };
  yield { type: "STEP_TEXT", text: "hand written" };
  const keys = Object.keys(reply).join();
  const state = Object.keys(reply.agentState).join();
  yield { toolName: "set_output", input: { x: reply.stepsComplete ? 1 : 0, keys, state } };
};

export function helper(id: string, more: Partial<AgentDefinitionInput> = {}): AgentDefinitionInput {
  return {
    id,
    model: "anthropic/claude-sonnet-4",
    displayName: "Sub Agent",
    toolNames: ["end_turn"],
    instructionsPrompt: `sub ${id}`,
    spawnerPrompt: "delegate",
    inputSchema: { prompt: { type: "string", description: "x" } },
    ...more,
  };
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  "golden-turn": {
    agent: {
      toolNames: ["read_files", "run_terminal_command", "str_replace", "write_file"],
      spawnableAgents: [],
      systemPrompt: "SYS {CODEBUFF_KNOWLEDGE_FILES_CONTENTS}",
      instructionsPrompt: "INSTR",
      stepPrompt: "STEP {CODEBUFF_REMAINING_STEPS}",
    },
    knowledgeFiles: { "knowledge.md": "use tabs\n" },
  },
  "golden-two-children": {
    agent: {
      systemPrompt: "ROOT",
      toolNames: ["spawn_agents", "read_files"],
      spawnableAgents: ["suba", "subb"],
    },
    helpers: [
      helper("suba", { systemPrompt: "SUB suba" }),
      helper("subb", { systemPrompt: "SUB subb", outputMode: "all_messages" }),
    ],
  },
  "golden-handle-steps": {
    agent: {
      toolNames: ["read_files", "set_output"],
      spawnableAgents: [],
      outputMode: "structured_output",
      outputSchema: schema,
      handleSteps: goldenSteps,
    },
  },
  "agent-as-tool": {
    agent: { systemPrompt: "ROOT", toolNames: ["spawn_agents"], spawnableAgents: ["suba"] },
    helpers: [helper("suba", { systemPrompt: "SUB suba" })],
  },
  "output-schema-missing": {
    agent: { toolNames: ["set_output"], spawnableAgents: [], outputMode: "structured_output", outputSchema: schema },
  },
  "max-steps": { maxSteps: 2 },
  "task-completed-required": { agent: { toolNames: ["task_completed", "read_files"], spawnableAgents: [] } },
  "defect-d6-create-plan": { agent: { toolNames: ["create_plan"], spawnableAgents: [] } },
  "defect-d6-custom-throws": { custom: "throws" },
  "tool-custom": { custom: "answers" },
  "store-agent-bare-id": {
    agentId: "base",
    helpers: [
      helper("base", {
        publisher: "codebuff",
        version: "0.0.1",
        instructionsPrompt: "store agent",
        toolNames: [],
        spawnerPrompt: undefined,
      }),
    ],
  },
  "store-agent-404": { agentId: "codebuff/base@0.0.16" },
  abort: { abortAfter: 5 },
  "defect-d4-abort-in-command": { abortMs: 1_500 },
  "defect-d5-abort-in-silent-stream": { abortMs: 1_200 },
};
