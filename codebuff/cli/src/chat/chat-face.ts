import type { RunState } from "@muster/codebuff-protocol";
import type { DialogStack } from "../dialogs/dialog-stack.ts";
import type { Io } from "../io.ts";
import type { Conversation } from "../run/conversation.ts";
import type { PromptQueue } from "../run/prompt-queue.ts";
import type { RunOptions, Settings } from "../run-options.ts";
import type { ThemeName } from "../text/theme.ts";
import type { Item, Tone } from "../transcript/items.ts";
import type { Attachments } from "./attachments.ts";

/** What a slash command may do with the chat; every writer of it (screen, plain) offers the same. */
export interface ChatFace {
  readonly options: RunOptions;
  readonly io: Io;
  readonly items: readonly Item[];
  readonly dialogs: DialogStack;
  readonly attachments: Attachments;
  readonly isRunning: boolean;
  /** What the session has cost, sub-agents and tools included. */
  readonly spentUsd: number;
  readonly lastState: RunState | undefined;
  /** From the next prompt on. */
  settings: Settings;
  /** The SDK is loaded when it is first needed. */
  conversation(): Promise<Conversation>;
  say(text: string, tone?: Tone): void;
  /** What waits for the agent can be forgotten. */
  readonly prompts: { readonly queue: Pick<PromptQueue, "clear"> };
  /** A prompt of its own: sent when the agent is idle, else queued. */
  send(prompt: SentPrompt): void;
  /** Into the run that is going on; as a prompt when there is none. */
  steer(text: string): void;
  runCommand(command: string): Promise<void>;
  /** Another conversation of this project, or a new one; false when that is not possible now. */
  switchTo(sessionId: string | undefined): Promise<boolean>;
  setTheme(name: ThemeName): void;
  readonly themeName: ThemeName;
  /** Into the clipboard, by the terminal itself. */
  copy(text: string): void;
  openPage(): void;
  edit(text: string): Promise<string | undefined>;
  /** Puts a text where the person writes. */
  draft(text: string): void;
  /** Something the screen shows has changed. */
  changed(): void;
  exit(code?: number): void;
}

export interface SentPrompt {
  readonly text: string;
  readonly agent?: string;
  readonly agentMode?: boolean;
  /** Only for this prompt. */
  readonly mode?: Settings["mode"];
}
