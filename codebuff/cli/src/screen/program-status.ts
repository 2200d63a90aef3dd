import type { Chat } from "../chat/chat.ts";
import { printable } from "../text/printable.ts";

/** What the program is doing, in the words of the program status protocol (OSC 7501, revision 0.3). */
export interface ProgramState {
  readonly state: "idle" | "working" | "done" | "blocked" | "error";
  /** What a `blocked` program waits for. */
  readonly kind?: "permission" | "question";
  readonly message?: string;
}

/** Of a message, decoded; the protocol allows 2,048 bytes. */
const mostBytes = 200;

/**
 * Tells the terminal what the agent is doing, so that a tab, a multiplexer or a list of agents need not guess it from the
 * screen. Only a terminal that has answered the query is told.
 */
export class ProgramStatus {
  readonly #write: (text: string) => void;
  #isKnown = false;
  #told = "";
  #now: ProgramState = { state: "idle" };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  ask(): void {
    this.#write("\u001b]7501;?\u001b\\");
  }

  /** True when the sequence was the terminal's answer. */
  onReport(sequence: string): boolean {
    if (!sequence.startsWith("\u001b]7501;?")) return false;
    this.#isKnown = true;
    this.tell(this.#now);
    return true;
  }

  tell(now: ProgramState): void {
    this.#now = now;
    if (!this.#isKnown) return;
    const body = bodyOf(now);
    if (body === this.#told) return;
    this.#told = body;
    this.#write(`\u001b]7501;${body}\u001b\\`);
  }

  /** The shell has the terminal from here on. */
  close(): void {
    if (this.#told === "") return;
    this.#told = "";
    this.#write("\u001b]7501;state=clear\u001b\\");
  }
}

/** What a chat is doing. A list that the person opened is no waiting. */
export function programState({
  dialogs,
  isRunning,
  items,
}: Pick<Chat, "dialogs" | "isRunning" | "items">): ProgramState {
  const { spoken, title } = dialogs.current?.options ?? {};
  if (spoken !== undefined)
    return { state: "blocked", kind: spoken === "Question" ? "question" : "permission", message: title };
  const prompted = items.findLast((item) => item.kind === "user");
  if (isRunning) return { state: "working", message: prompted?.kind === "user" ? prompted.text : undefined };
  const ended = items.findLast((item) => item.kind === "end" || item.kind === "user");
  if (ended?.kind !== "end" || ended.status === "cancelled") return { state: "idle" };
  return { state: ended.status === "completed" ? "done" : "error" };
}

function bodyOf({ state, kind, message = "" }: ProgramState): string {
  const text = printable(message.replace(/\s+/g, " ")).trim();
  return [
    `state=${state}`,
    "app=codebuff",
    ...(kind === undefined ? [] : [`kind=${kind}`]),
    ...(text === "" ? [] : [`msg=${encoded(text)}`]),
  ].join(":");
}

/** Cut at a character, never within one. */
function encoded(text: string): string {
  let bytes = Buffer.alloc(0);
  for (const letter of text) {
    const next = Buffer.concat([bytes, Buffer.from(letter)]);
    if (next.length > mostBytes) break;
    bytes = next;
  }
  return bytes.toString("base64");
}
