import {
  type AgentDefinition,
  isBlank,
  isToolName,
  type Message,
  type ToolDefinition,
} from "@muster/codebuff-protocol";
import type { AgentRun, AgentStart, RunTree } from "./agent-run.ts";
import { noCost } from "./cost.ts";
import { Emitter } from "./emitter.ts";
import { History } from "./history/history.ts";
import { mendHistory } from "./history/mend-history.ts";
import { instructions, userPrompt } from "./history/messages.ts";
import type { Content } from "./ports.ts";
import { fillTemplate } from "./prompts/fill-template.ts";
import { instructionsText } from "./prompts/instructions-text.ts";
import { offeredTools } from "./prompts/offered-tools.ts";
import { templateValues } from "./prompts/template-values.ts";
import { untilCancelled } from "./until-cancelled.ts";

/** The run as far as it is known before the ledger has been asked: enough to keep the prompt and to say what failed. */
export function bareRun(start: AgentStart): AgentRun {
  const { tree, agent, agentId, parent } = start;
  const ancestorRunIds = parent === undefined ? [] : [...parent.scope.ancestorRunIds, parent.scope.runId];
  const { signal, sessionId } = tree;
  const parentAgentId = parent?.scope.agentId;
  const history = new History(agentId, mendHistory(start.messages), tree.ports.log);
  return {
    tree,
    agent,
    model: start.model ?? agent.definition.model,
    depth: parent === undefined ? 0 : parent.depth + 1,
    parent,
    scope: { sessionId, runId: "", agentId, parentAgentId, ancestorRunIds, signal },
    history,
    emit: emitterOf(start, "", ancestorRunIds),
    systemPrompt: "",
    prompts: { user: textOf(start.content), initial: initialPrompt(history.messages) ?? textOf(start.content) },
    tools: [],
    usable: new Set(),
    spawnable: new Map(),
    memory: {
      subgoals: { ...start.subgoals },
      todos: [...(start.todos ?? [])],
      output: undefined,
      subagents: [],
      childRunIds: [],
      stepsRemaining: tree.limits.maxSteps,
      stepNumber: 0,
      contextTokens: 0,
      tokenScale: 1,
      outputFaults: 0,
      thoughtOnly: 0,
      lengthEnds: 0,
      direct: noCost,
      ofChildren: noCost,
    },
  };
}

/** The prompt enters the history before anything can fail, so that no one's words are lost. */
export async function addPrompt({ history, tree }: AgentRun, { content, params, isInline }: AgentStart): Promise<void> {
  const message = userPrompt(content, params, tree.ports.clock.now());
  if (isBlank(message)) return;
  await history.append(isInline ? { ...message, timeToLive: "userPrompt" } : message);
}

/** Builds system prompt, tools and instructions, once per run. */
export async function openAgentRun(start: AgentStart, bare: AgentRun, runId: string): Promise<AgentRun> {
  const { tree, agent, parent, isInline } = start;
  const { definition } = agent;
  const [others, spawnable] = await untilCancelled(
    Promise.all([tree.ports.tools.definitions(definition, tree.signal), findSpawnable(tree, definition)]),
    tree.signal,
  );
  const skills = Object.values(tree.files.skills ?? {});
  const own = offeredTools({ definition, others, spawnable, skills });
  const seesParents = parent !== undefined && (isInline === true || definition.inheritParentSystemPrompt);
  const run: AgentRun = {
    ...bare,
    scope: { ...bare.scope, runId },
    emit: emitterOf(start, runId, bare.scope.ancestorRunIds),
    systemPrompt: seesParents ? parent.systemPrompt : systemPromptOf(start, bare),
    tools: seesParents ? parent.tools : own,
    usable: usableTools(definition, others),
    spawnable,
  };
  const text = instructionsText({
    definition,
    text: fillTemplate(definition.instructionsPrompt ?? "", templateValues(run)),
    spawnable,
    allowedTools: seesParents ? own.map(({ name }) => name) : undefined,
  });
  if (text !== undefined && !stillStands(run.history.messages, text)) {
    const message = instructions(text, tree.ports.clock.now());
    await run.history.append(isInline ? { ...message, keepLastTags: undefined, timeToLive: "userPrompt" } : message);
  }
  return run;
}

/** Instructions that have not changed stay where they are: moving them would cost the prompt cache of the whole history. */
function stillStands(messages: readonly Message[], text: string): boolean {
  return messages.some((message) => {
    if (message.role !== "user" || !message.keepLastTags?.includes("INSTRUCTIONS_PROMPT")) return false;
    const [part] = message.content;
    return part?.type === "text" && part.text === text;
  });
}

function emitterOf(start: AgentStart, runId: string, ancestorRunIds: readonly string[]): Emitter {
  const { tree, agent, agentId, parent, beforeFirstEvent } = start;
  return new Emitter(tree.actions, {
    agentId,
    agentType: agent.definition.id,
    isRoot: parent === undefined,
    runId,
    ancestorRunIds,
    beforeFirst: beforeFirstEvent,
  });
}

function systemPromptOf({ agent, appendSystemPrompt }: AgentStart, bare: AgentRun): string {
  const own = fillTemplate(agent.definition.systemPrompt ?? "", templateValues(bare));
  return [own, appendSystemPrompt ?? ""].filter((text) => text !== "").join("\n\n");
}

async function findSpawnable(
  { ports, signal }: RunTree,
  { id, spawnableAgents }: AgentDefinition,
): Promise<Map<string, AgentDefinition>> {
  const found = await Promise.all(
    spawnableAgents.map(async (name) => [name, await ports.agents.find(name, signal)] as const),
  );
  const known = new Map<string, AgentDefinition>();
  for (const [name, agent] of found) {
    if ("definition" in agent) known.set(name, agent.definition);
    else ports.log.warn(`${id} may spawn ${name}, but there is no such agent`);
  }
  return known;
}

function usableTools({ toolNames }: AgentDefinition, others: readonly ToolDefinition[]): Set<string> {
  return new Set([...toolNames.filter(isToolName), ...others.map(({ name }) => name)]);
}

function textOf(content: Content): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function initialPrompt(messages: readonly Message[]): string | undefined {
  const first = messages.find((message) => message.role === "user" && message.tags?.includes("USER_PROMPT"));
  if (first?.role !== "user") return undefined;
  const text = first.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return text.replace(/^<user_message>|<\/user_message>$/g, "");
}
