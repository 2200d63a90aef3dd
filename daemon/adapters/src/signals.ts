import type {
  AllowedPrompt,
  AlwaysScope,
  Body,
  Cause,
  PermissionAction,
  PermissionDetail,
  Question,
  QuestionKind,
  StderrExcerpt,
  TurnPlace,
  Usage,
} from "@muster/schema";

/**
 * What an agent tells the engine. The first line are events as they will be stored; the rest are hints from which the
 * engine, who owns turns, messages and requests, makes events of its own. `requestKey` is the adapter's name for a
 * question or permission: unique within a life, and what `Command` answers refer to.
 */
export type Signal =
  | Body<"item.started" | "item.delta" | "item.completed" | "plan.updated" | "usage.updated">
  | Body<"error" | "agent.unparsed" | "session.updated">
  /** A turn that no message of ours asked for. */
  | { type: "turn.began"; data: Record<never, never> }
  | { type: "turn.finished"; data: TurnFinished }
  /** A steering message entered the open turn. */
  | { type: "message.joined"; data: { messageId: string } }
  | { type: "question.asked"; data: QuestionAsked }
  | { type: "permission.asked"; data: PermissionAsked }
  /** The agent answered its own permission question. */
  | { type: "permission.decided"; data: PermissionDecided }
  /** The agent no longer waits for it: it gave up, or somebody else answered. */
  | { type: "request.withdrawn"; data: { requestKey: string; elsewhere?: AnsweredElsewhere } }
  /** The model is asked again: no sign of life of it. Silence until then is announced and is not a hang. */
  | { type: "retry.announced"; data: { untilMs?: number } }
  /** The last signal of a life. */
  | { type: "agent.exited"; data: AgentExited };

export interface TurnFinished {
  status: "completed" | "interrupted" | "failed";
  cause?: Cause;
  message?: string;
  /** Where the agent says so: the messages this turn answered. */
  messageIds?: readonly string[];
  usage?: Usage;
  costUsd?: number;
  output?: unknown;
  /** Where the turn stands in the agent's own history. */
  place?: TurnPlace;
}

export interface QuestionAsked {
  requestKey: string;
  kind: QuestionKind;
  itemId?: string;
  questions: Question[];
  allowedPrompts?: AllowedPrompt[];
}

export interface PermissionAsked {
  requestKey: string;
  action: PermissionAction;
  title: string;
  detail?: PermissionDetail;
  itemId?: string;
  alwaysScope: AlwaysScope[];
}

export interface PermissionDecided extends PermissionAsked {
  decision: "allow" | "reject";
  message?: string;
}

/** An answer that did not come through us. */
export interface AnsweredElsewhere {
  status: "answered" | "rejected";
  answers?: string[][];
}

export interface AgentExited {
  /** null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  stderr: StderrExcerpt;
  /** Asked for by `close()`. */
  expected: boolean;
}
