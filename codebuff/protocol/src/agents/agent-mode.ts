import { z } from "zod";
import { Message } from "../messages/history.ts";
import { Subgoal } from "../tools/agent-tools.ts";
import { FileContext } from "./session-state.ts";

/** The id of the agent of `/agent`; events and session files name it. */
export const agentModeId = "agent-mode";

export const AgentModeCall = z.object({ id: z.string(), name: z.string(), params: z.record(z.string(), z.json()) });
export type AgentModeCall = z.infer<typeof AgentModeCall>;

export const AgentModeResult = z.object({
  id: z.string(),
  name: z.string(),
  result: z.string(),
  status: z.enum(["completed", "running", "timed_out", "died", "error", "interrupted"]),
});
export type AgentModeResult = z.infer<typeof AgentModeResult>;

/** The calls a client was asked to run, and what is already known of the other calls of the same response. */
const OpenCalls = z.object({ calls: z.array(AgentModeCall).min(1), results: z.array(AgentModeResult) });

/** The recorded run an agent works in, from the task to the end of its turn. */
export const AgentModeRun = z.object({
  id: z.string(),
  steps: z.int().min(0),
  millicredits: z.number(),
  costKnown: z.boolean(),
  costEstimated: z.boolean().optional(),
});
export type AgentModeRun = z.infer<typeof AgentModeRun>;

/** Travels with every message and is stored by the server too; the higher revision wins. */
export const AgentState = z.object({
  revision: z.int().min(0).default(0),
  messageHistory: z.array(Message).default([]),
  subgoals: z.record(z.string(), Subgoal).default({}),
  /** Present while a client runs tools; what it does not answer counts as interrupted. */
  open: OpenCalls.optional(),
  run: AgentModeRun.optional(),
});
export type AgentState = z.infer<typeof AgentState>;

export const emptyAgentState: AgentState = { revision: 0, messageHistory: [], subgoals: {} };

/** Where the agent's own source lies and how it is built and tested. */
export const AgentModeSelf = z.object({
  root: z.string(),
  keyFiles: z.record(z.string(), z.string()),
  commands: z.array(z.string()),
});
export type AgentModeSelf = z.infer<typeof AgentModeSelf>;

/** A message without them begins a session of its own. */
const framed = { sessionId: z.string().min(1).max(200).optional(), seq: z.int().min(0).optional() };

export const AgentInitialPromptAction = z.object({
  type: z.literal("agent_initial_prompt"),
  task: z.string().min(1),
  agentState: AgentState,
  toolResults: z.array(AgentModeResult).optional(),
  fileContext: FileContext.optional(),
  /** What the client's machine knows and the prompt says: the section about memory, and the agent's own source. */
  memory: z.string().optional(),
  self: AgentModeSelf.optional(),
  /** Begin anew although there is a history. */
  newTask: z.boolean().optional(),
  ...framed,
});
export type AgentInitialPromptAction = z.infer<typeof AgentInitialPromptAction>;

const AgentToolResponseAction = z.object({
  type: z.literal("agent_tool_response"),
  toolResults: z.array(AgentModeResult),
  agentState: AgentState,
  ...framed,
});

export const AgentModeClientMessage = z.discriminatedUnion("type", [AgentInitialPromptAction, AgentToolResponseAction]);
export type AgentModeClientMessage = z.infer<typeof AgentModeClientMessage>;

export const AgentModeServerMessage = z.discriminatedUnion("type", [
  /** `step` counts the responses of a run, so that a reader knows where the next one begins. */
  z.object({ type: z.literal("agent_response_chunk"), chunk: z.string(), step: z.int().min(0).optional(), ...framed }),
  z.object({ type: z.literal("agent_request_tool_execution"), toolCalls: z.array(AgentModeCall).min(1), ...framed }),
  z.object({ type: z.literal("agent_state"), agentState: AgentState, ...framed }),
  z.object({
    type: z.literal("agent_turn_complete"),
    response: z.string(),
    ended: z.boolean(),
    run: AgentModeRun.optional(),
    ...framed,
  }),
  z.object({
    type: z.literal("agent_error"),
    code: z.string(),
    message: z.string(),
    run: AgentModeRun.optional(),
    ...framed,
  }),
]);
export type AgentModeServerMessage = z.infer<typeof AgentModeServerMessage>;
