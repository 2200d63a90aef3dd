import { z } from "zod";
import { Message } from "../messages/history.ts";
import type { ToolSpecs } from "./tool-spec.ts";

const message = z.object({ message: z.string() });
const params = z.record(z.string(), z.json());

export const SpawnRequest = z.object({
  agent_type: z.string().min(1),
  prompt: z.string().optional(),
  params: params.optional(),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** One per request, in the order of the requests; `value` is the child's output or an errorMessage. */
export const SpawnResult = z.object({ agentName: z.string(), agentType: z.string(), value: z.json() });
export type SpawnResult = z.infer<typeof SpawnResult>;

const SubgoalStatus = z.enum(["NOT_STARTED", "IN_PROGRESS", "COMPLETE", "ABORTED"]);

export const Subgoal = z.object({
  objective: z.string().optional(),
  status: SubgoalStatus.optional(),
  plan: z.string().optional(),
  logs: z.array(z.string()),
});
export type Subgoal = z.infer<typeof Subgoal>;

export const Question = z.object({
  question: z.string().min(1),
  header: z.string().max(12).optional(),
  options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).min(2),
  multiSelect: z.boolean().default(false),
  validation: z
    .object({
      minLength: z.int().min(0).optional(),
      maxLength: z.int().min(1).optional(),
      pattern: z.string().optional(),
      patternError: z.string().optional(),
    })
    .optional(),
});
export type Question = z.infer<typeof Question>;

export const QuestionAnswers = z.union([
  z.object({
    answers: z.array(
      z.object({
        questionIndex: z.int().min(0),
        selectedOption: z.string().optional(),
        selectedOptions: z.array(z.string()).optional(),
        otherText: z.string().optional(),
      }),
    ),
  }),
  z.object({ skipped: z.literal(true) }),
]);
export type QuestionAnswers = z.infer<typeof QuestionAnswers>;

export const Todo = z.object({ task: z.string(), completed: z.boolean() });
export type Todo = z.infer<typeof Todo>;

const Followup = z.object({ prompt: z.string().min(1), label: z.string().optional() });

const inLoop = { clientSide: false, effect: "none" } as const;

export const agentTools = {
  spawn_agents: {
    summary: "Start agents in parallel and wait for all of them",
    input: z.object({ agents: z.array(SpawnRequest).min(1) }),
    result: z.array(SpawnResult),
    forcing: true,
    ...inLoop,
  },
  spawn_agent_inline: {
    summary: "Run an agent on this conversation; its history takes the place of this one",
    input: SpawnRequest,
    result: message,
    forcing: true,
    ...inLoop,
  },
  lookup_agent_info: {
    summary: "Look up what an agent does and which input it takes",
    input: z.object({ agentId: z.string().min(1) }),
    result: z.union([
      z.object({ found: z.literal(true), agent: z.record(z.string(), z.json()) }),
      z.object({ found: z.literal(false), error: z.string() }),
    ]),
    forcing: true,
    ...inLoop,
  },
  set_output: {
    summary: "Set the agent's structured output",
    input: z.looseObject({}),
    result: message,
    forcing: false,
    ...inLoop,
  },
  set_messages: {
    summary: "Replace the agent's message history",
    input: z.object({ messages: z.array(Message) }),
    result: message,
    forcing: false,
    ...inLoop,
  },
  add_message: {
    summary: "Append a message to the agent's history",
    input: z.object({ role: z.enum(["user", "assistant"]), content: z.string() }),
    result: message,
    forcing: false,
    ...inLoop,
  },
  add_subgoal: {
    summary: "Add a subgoal to the plan",
    input: z.object({
      id: z.string().min(1),
      objective: z.string().min(1),
      status: SubgoalStatus,
      plan: z.string().optional(),
      log: z.string().optional(),
    }),
    result: message,
    forcing: true,
    ...inLoop,
  },
  update_subgoal: {
    summary: "Change status or plan of a subgoal, or add a log line to it",
    input: z.object({
      id: z.string().min(1),
      status: SubgoalStatus.optional(),
      plan: z.string().optional(),
      log: z.string().optional(),
    }),
    result: message,
    forcing: false,
    ...inLoop,
  },
  write_todos: {
    summary: "Show the whole list of steps and which are done",
    input: z.object({ todos: z.array(Todo) }),
    result: message,
    forcing: true,
    ...inLoop,
  },
  think_deeply: {
    summary: "Write down a thought",
    input: z.object({ thought: z.string() }),
    result: message,
    forcing: false,
    ...inLoop,
  },
  ask_user: {
    summary: "Ask the user questions with options to choose from",
    input: z.object({ questions: z.array(Question).min(1) }),
    result: QuestionAnswers,
    clientSide: true,
    forcing: true,
    effect: "none",
  },
  suggest_followups: {
    summary: "Offer the user prompts to go on with",
    input: z.object({ followups: z.array(Followup).min(1) }),
    result: message,
    forcing: false,
    ...inLoop,
  },
  skill: {
    summary: "Load the instructions of a skill",
    input: z.object({ name: z.string().min(1) }),
    result: z.object({
      name: z.string(),
      description: z.string(),
      content: z.string(),
      license: z.string().optional(),
    }),
    forcing: true,
    ...inLoop,
  },
  end_turn: {
    summary: "End the turn: the task is done or the user has to answer",
    input: z.object({}),
    result: message,
    forcing: true,
    endsTurn: true,
    ...inLoop,
  },
  task_completed: {
    summary: "Say that the whole task is done",
    input: z.object({}),
    result: message,
    forcing: false,
    endsTurn: true,
    ...inLoop,
  },
} as const satisfies ToolSpecs;
