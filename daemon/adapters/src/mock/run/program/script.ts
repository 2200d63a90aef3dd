import type { MockSays } from "../../wire/native.ts";
import type { Memory } from "./memory.ts";
import type { Turn } from "./turn.ts";

/** What one prompt does. Returns how the turn ended, or nothing when it simply got done. */
export type Script = (scene: Scene) => Promise<ScriptEnd | undefined>;

export type ScriptEnd = Pick<Extract<MockSays, { ev: "turn_shut" }>, "outcome" | "trouble" | "result">;

interface Scene {
  turn: Turn;
  /** What follows the first word of the prompt. */
  argument: string;
  memory: Memory;
  program: Program;
  /** Runs when the turn is over. */
  afterwards(action: () => void): void;
  /** Starts a turn nobody asked for. */
  ownTurn(script: (turn: Turn) => Promise<undefined>): void;
}

/** The process, for the prompts that misbehave. */
export interface Program {
  /** Says the rest and exits. */
  exit(code: number): Promise<void>;
  closeStdin(): Promise<void>;
  /** From now on neither SIGTERM nor the end of stdin ends the process. */
  becomeStubborn(): void;
  /** Ends this conversation; the process too, when it is the only one. */
  leave(): Promise<void>;
}

export interface Prompt {
  /** How it is written, and what it does. */
  usage: string;
  does: string;
  run: Script;
}
