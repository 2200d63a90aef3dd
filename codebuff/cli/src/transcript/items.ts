import type { FinishStatus, PermissionMark, PrintModeEvent, ToolOutput } from "@muster/codebuff-protocol";

/** What a person does, told like an event so that one fold makes the transcript of both. */
export type PersonEntry =
  | {
      readonly type: "user_message";
      readonly messageId: string;
      readonly text: string;
      /** Names of what went with it. */
      readonly attachments: readonly string[];
      /** It entered a run that was going on. */
      readonly steers?: boolean;
    }
  | { readonly type: "user_command"; readonly id: string; readonly command: string }
  | { readonly type: "user_command_output"; readonly id: string; readonly output: string }
  | { readonly type: "user_command_end"; readonly id: string; readonly exitCode: number | undefined }
  | { readonly type: "remark"; readonly tone: Tone; readonly text: string };

/** `diff` is a patch. */
export type Tone = "info" | "good" | "warning" | "error" | "diff";

export type Happening = PrintModeEvent | PersonEntry;

/** One thing that happened and when; the clock is an input. */
export type Entry = Happening & { readonly at: number };

export interface UserItem {
  readonly kind: "user";
  readonly text: string;
  readonly attachments: readonly string[];
  readonly steers: boolean;
}

interface TextItem {
  readonly kind: "text";
  readonly text: string;
  readonly done: boolean;
  /** It was said again afterwards: this one does not count. */
  readonly withdrawn?: boolean;
}

export interface ReasoningItem {
  readonly kind: "reasoning";
  readonly text: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface ToolItem {
  readonly kind: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly permission?: PermissionMark;
  readonly progress: string;
  readonly result?: ToolOutput;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** What it took by itself, where the run tells. */
  readonly durationMs?: number;
  /** A permission for it is open: the person's time runs, not its own. */
  readonly waits?: boolean;
  readonly withdrawn?: boolean;
}

export interface AgentItem {
  readonly kind: "agent";
  readonly agentId: string;
  readonly name: string;
  readonly prompt: string;
  readonly children: readonly Item[];
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** A command the person ran with `!`. */
export interface CommandItem {
  readonly kind: "command";
  readonly id: string;
  readonly command: string;
  readonly output: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
}

export interface RemarkItem {
  readonly kind: "remark";
  readonly tone: Tone;
  readonly text: string;
  /** The model is asked again then. */
  readonly untilMs?: number;
}

/** Where a run began. Only agent mode has a line for it: its model is not the one of the chat. */
export interface RunItem {
  readonly kind: "run";
  readonly startedAt: number;
  readonly model: string | undefined;
  readonly agentId?: string;
}

export interface EndItem {
  readonly kind: "end";
  readonly status: FinishStatus;
  readonly durationMs: number;
  readonly usd: number | undefined;
  readonly isEstimated?: boolean;
}

export type Item =
  | UserItem
  | TextItem
  | ReasoningItem
  | ToolItem
  | AgentItem
  | CommandItem
  | RemarkItem
  | RunItem
  | EndItem;

/** Nothing will change it any more. */
export function isDone(item: Item): boolean {
  switch (item.kind) {
    case "text":
      return item.done;
    case "reasoning":
    case "tool":
    case "agent":
    case "command":
      return item.endedAt !== undefined;
    case "user":
    case "remark":
    case "run":
    case "end":
      return true;
  }
}
