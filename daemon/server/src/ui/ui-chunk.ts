import type {
  PermissionRequested,
  PermissionResolved,
  QuestionRequested,
  QuestionResolved,
  UniversalEvent,
} from "@muster/schema";

/**
 * What we send of the AI SDK's UI message stream. Only chunks and fields that every ai 6 takes: its first releases refuse
 * a chunk with a field they do not know, and ai 7 takes all of these too.
 */
export type TurnChunk =
  | { type: "start"; messageId: string; messageMetadata: TurnMetadata }
  | { type: "start-step" }
  | { type: "finish-step" }
  | { type: "finish"; finishReason: "stop" | "tool-calls"; messageMetadata?: TurnMetadata }
  | { type: "message-metadata"; messageMetadata: TurnMetadata }
  | { type: "abort" }
  /** The client stops reading here: always the last. */
  | { type: "error"; errorText: string }
  | BlockChunk
  | ToolChunk
  | DataChunk
  | { type: "file"; url: string; mediaType: string };

export type BlockChunk =
  | { type: `${BlockKind}-start`; id: string; providerMetadata: PartMetadata }
  | { type: `${BlockKind}-delta`; id: string; delta: string }
  | { type: `${BlockKind}-end`; id: string };

export type BlockKind = "text" | "reasoning";

export type ToolChunk =
  | ({ type: "tool-input-start" } & Omit<ToolHead, "providerMetadata">)
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | ({ type: "tool-input-available"; input: unknown } & ToolHead)
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: true; dynamic: true }
  | { type: "tool-output-error"; toolCallId: string; errorText: string; dynamic: true }
  | { type: "tool-output-denied"; toolCallId: string };

export interface ToolHead {
  toolCallId: string;
  toolName: string;
  title?: string;
  /** Nobody but the agent knows its tools and runs them. */
  dynamic: true;
  providerExecuted: true;
  providerMetadata: PartMetadata;
}

/** Where a part comes from: an interface can nest what a sub-agent does under its call. */
export interface PartMetadata {
  muster: { itemId: string; parentId?: string; toolKind?: string };
}

/** Replaced by the next with the same type and id. */
type DataChunk =
  | { type: "data-permission"; id: string; data: PermissionRequested | (PermissionRequested & PermissionResolved) }
  | { type: "data-question"; id: string; data: QuestionRequested | (QuestionRequested & QuestionResolved) }
  | { type: "data-plan"; id: "plan"; data: DataOf<"plan.updated"> }
  | { type: "data-usage"; id: "usage"; data: DataOf<"usage.updated"> }
  | { type: "data-status"; id: string; data: { label: string; detail?: string; retryable?: boolean } };

export interface TurnMetadata {
  sessionId: string;
  turnId: string;
  status?: string;
  cause?: string;
  usage?: unknown;
  costUsd?: number;
  durationMs?: number;
}

type DataOf<T extends UniversalEvent["type"]> = Extract<UniversalEvent, { type: T }>["data"];
