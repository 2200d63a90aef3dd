import {
  errorOutput,
  historyFaults,
  type Message,
  type ToolCall,
  type ToolInput,
  type ToolName,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { lookUpAgent } from "../children/look-up-agent.ts";
import { spawnAgents } from "../children/spawn-agents.ts";
import { spawnInline } from "../children/spawn-inline.ts";
import { assistantText } from "../history/messages.ts";
import type { PendingCall } from "../pending-call.ts";
import { setOutput } from "./set-output.ts";

type LoopTool<Name extends ToolName> = (
  run: AgentRun,
  input: ToolInput<Name>,
  pending: PendingCall,
) => ToolOutput | Promise<ToolOutput>;

/** The tools that run inside the loop. What is not here goes through the tools port. */
const loopTools: { readonly [Name in ToolName]?: LoopTool<Name> } = {
  spawn_agents: (run, { agents }, pending) => spawnAgents(run, agents, pending),
  spawn_agent_inline: spawnInline,
  lookup_agent_info: lookUpAgent,
  set_output: (run, input) => setOutput(run, input as ToolCall["input"]),
  set_messages: async ({ history }, { messages }) => {
    const [fault] = historyFaults(messages);
    if (fault !== undefined) return errorOutput(`No model would take these messages: ${fault.code} ${fault.subject}`);
    await history.replace(messages, "set_messages");
    return messageOutput("Messages set");
  },
  add_message: async ({ history, tree }, { role, content }) => {
    if (content.trim() === "") return errorOutput("A message has to say something");
    await history.append(plainMessage(role, content, tree.ports.clock.now()));
    return messageOutput("Message added");
  },
  add_subgoal: ({ memory }, { id, objective, status, plan, log }) => {
    memory.subgoals[id] = { objective, status, plan, logs: log === undefined ? [] : [log] };
    return messageOutput(`Subgoal ${id} added`);
  },
  update_subgoal: ({ memory }, { id, status, plan, log }) => {
    const before = memory.subgoals[id] ?? { logs: [] };
    memory.subgoals[id] = {
      ...before,
      status: status ?? before.status,
      plan: plan ?? before.plan,
      logs: log === undefined ? before.logs : [...before.logs, log],
    };
    return messageOutput(`Subgoal ${id} updated`);
  },
  write_todos: ({ memory }, { todos }) => {
    memory.todos = todos;
    return messageOutput("Todos written");
  },
  think_deeply: () => messageOutput("Thought noted"),
  suggest_followups: () => messageOutput("Followups suggested"),
  skill: ({ tree }, { name }) => {
    const skill = tree.ports.tools.skill?.(name) ?? tree.files.skills?.[name];
    if (skill === undefined) return errorOutput(`There is no skill named ${name}`);
    const { description, content, license } = skill;
    return [{ type: "json", value: { name, description, content, ...(license === undefined ? {} : { license }) } }];
  },
  end_turn: () => messageOutput("Turn ended."),
  task_completed: () => messageOutput("Task completed."),
};

export function isLoopTool(name: string): name is ToolName {
  return Object.hasOwn(loopTools, name);
}

/** Runs a tool of the loop with input that was checked. */
export async function runLoopTool(run: AgentRun, name: ToolName, pending: PendingCall): Promise<ToolOutput> {
  const tool = loopTools[name] as LoopTool<ToolName> | undefined;
  if (tool === undefined) return errorOutput(`The tool ${name} does not run here`);
  return tool(run, pending.call.input as ToolInput<ToolName>, pending);
}

function messageOutput(message: string): ToolOutput {
  return [{ type: "json", value: { message } }];
}

function plainMessage(role: "user" | "assistant", text: string, sentAt: number): Message {
  return role === "assistant" ? assistantText(text, sentAt) : { role, content: [{ type: "text", text }], sentAt };
}
