import type { AgentName } from "./agent-names.ts";

export type ProtocolName = "anthropic" | "chat" | "responses" | "gemini";

/** A tool the request offers to the model. `custom` tools take free text instead of JSON. */
export interface OfferedTool {
  readonly name: string;
  readonly custom: boolean;
  readonly namespace?: string;
}

/** One model request, told the same way for every protocol. */
export interface ModelRequest {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bodyText: string;
  readonly sha256: string;
  readonly model: string;
  readonly stream: boolean;
  /** The client asked for a usage chunk (Chat Completions only; the others always carry usage). */
  readonly wantsUsage: boolean;
  readonly system: string;
  /** What the person wrote, one text per message, without what agents add around it. */
  readonly userTexts: readonly string[];
  /** Results that answer the newest assistant message. */
  readonly toolResults: readonly string[];
  /** Model replies in the history, and those after the newest user text. */
  readonly replies: number;
  readonly repliesSincePrompt: number;
  /** Ids of replies in the history, newest first, and those after the newest user text. */
  readonly replyIds: readonly string[];
  readonly replyIdsSincePrompt: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly agent: AgentName | undefined;
  readonly session: string | undefined;
}

/** One step of a conversation as a protocol's reader found it. */
export interface HistoryEntry {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly ids?: readonly string[];
}

/** What a protocol's reader finds in a body; `readRequest` makes a ModelRequest of it. */
export interface ReadBody {
  readonly model: string;
  readonly stream: boolean;
  readonly wantsUsage: boolean;
  readonly history: readonly HistoryEntry[];
  readonly tools: readonly OfferedTool[];
  /** A reply this request goes on from without repeating it (`previous_response_id`). */
  readonly follows?: string;
  /** Session ids that agents put into the body. */
  readonly session?: string;
}
