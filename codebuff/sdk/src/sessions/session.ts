import { isDeepStrictEqual } from "node:util";
import { type Message, RunAgentState, rootAgentName, type SessionState } from "@muster/codebuff-protocol";
import type { Entry } from "@muster/codebuff-runtime";
import { z } from "zod";
import type { RestoredSession } from "./restore-session.ts";
import type { SessionWriter } from "./session-writer.ts";

const KeptState = RunAgentState.pick({ agentType: true, agentContext: true, todos: true, creditsUsed: true }).partial();

/** A conversation that is open for writing: what it was so far, and the journal of what comes. */
export class Session {
  readonly id: string;
  readonly mode: string | undefined;
  /** The last run of an earlier process never ended. */
  readonly interrupted: boolean;
  readonly #writer: SessionWriter;
  /** The views as the file tells them, so that a change can be written as a change. */
  readonly #views = new Map<string, readonly Message[]>();
  #state: Partial<RunAgentState>;
  #lastDirectory: string | undefined;

  constructor(writer: SessionWriter, restored?: RestoredSession) {
    this.id = writer.id;
    this.#writer = writer;
    this.mode = restored?.header.mode;
    this.interrupted = restored?.interrupted ?? false;
    this.#state = {
      ...KeptState.safeParse(restored?.state ?? {}).data,
      messageHistory: [...(restored?.messages ?? [])],
    };
    this.#lastDirectory = lastDirectory(restored?.messages ?? []);
    if (restored !== undefined && !restored.repaired) this.#views.set(rootAgentName, restored.messages);
  }

  /** What the root agent knew when the conversation was left. */
  get state(): Partial<RunAgentState> {
    return this.#state;
  }

  /** Where the terminal of an earlier process was left; told once, to the first run that goes on from there. */
  takeLastDirectory(): string | undefined {
    const directory = this.#lastDirectory;
    this.#lastDirectory = undefined;
    return directory;
  }

  /** A run begins on this history; where the file tells another one, it is told first. */
  async beginRun(run: {
    agent: string;
    model?: string;
    messages: readonly Message[];
    messageId?: string;
  }): Promise<void> {
    const { messages, ...entry } = run;
    const view = this.#views.get(rootAgentName) ?? [];
    if (!isDeepStrictEqual(view, messages)) {
      await this.#writer.write({
        type: "replace",
        agentId: rootAgentName,
        messages: [...messages],
        reason: "continue",
      });
    }
    this.#views.set(rootAgentName, [...messages]);
    await this.#writer.write({ type: "run", ...entry });
  }

  async journal(entry: Entry): Promise<void> {
    const { agentId } = entry;
    if (entry.type === "calls") {
      await this.#writer.write({ type: "calls", agentId, calls: [...entry.calls] }, { sync: true });
      return;
    }
    const view = this.#views.get(agentId) ?? [];
    const messages = [...entry.messages];
    this.#views.set(agentId, entry.type === "append" ? [...view, ...messages] : messages);
    if (entry.type === "append") {
      await this.#writer.write({ type: "append", agentId, messages });
      return;
    }
    const edit = asEdit(view, messages);
    const { reason } = entry;
    await this.#writer.write(
      edit === undefined ? { type: "replace", agentId, messages, reason } : { type: "edit", agentId, ...edit, reason },
    );
  }

  async endRun(status: string, { mainAgentState }: Pick<SessionState, "mainAgentState">): Promise<void> {
    const { agentType, agentContext, todos, creditsUsed } = mainAgentState;
    this.#state = { agentType, agentContext, todos, creditsUsed, messageHistory: mainAgentState.messageHistory };
    this.#views.forEach((_, agentId) => {
      if (agentId !== rootAgentName) this.#views.delete(agentId);
    });
    await this.#writer.write(
      { type: "end", status, state: { agentType, agentContext, todos, creditsUsed } },
      { sync: true },
    );
  }

  /** The number of the newest entry: what a rewind to here names. */
  get lastEntry(): number {
    return this.#writer.last;
  }

  /** What the owner of the session wants to keep beside the history: queued prompts, marks of the screen. */
  note(kind: string, value: unknown): Promise<number> {
    return this.#writer.write({ type: "note", kind, value });
  }

  /** Takes back everything after an entry; `messages` is what the model knew there. */
  async rewind(to: number, messages: readonly Message[]): Promise<void> {
    await this.#writer.write({ type: "rewind", to });
    this.#setHistory(messages);
  }

  /** Brings back what a rewind took away; `messages` is what the model knew before it. */
  async redo(rewind: number, messages: readonly Message[]): Promise<void> {
    await this.#writer.write({ type: "redo", rewind });
    this.#setHistory(messages);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #setHistory(messages: readonly Message[]): void {
    this.#views.delete(rootAgentName);
    this.#state = { ...this.#state, messageHistory: [...messages] };
  }
}

function lastDirectory(messages: readonly Message[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "tool" || message.toolName !== "run_terminal_command") continue;
    const [part] = message.content;
    const left = z.looseObject({ cwd: z.string() }).safeParse(part?.type === "json" ? part.value : undefined);
    if (left.success) return left.data.cwd;
  }
  return undefined;
}

/** The new view as ranges of the old one and what was added at its end; undefined when it is something else altogether. */
function asEdit(
  view: readonly Message[],
  next: readonly Message[],
): { keep: [number, number][]; messages: Message[] } | undefined {
  const places = new Map(view.map((message, index) => [message, index]));
  const keep: [number, number][] = [];
  let added = 0;
  for (; added < next.length; added++) {
    const message = next[added];
    const place = message === undefined ? undefined : places.get(message);
    if (place === undefined) break;
    const last = keep.at(-1);
    if (last !== undefined && place < last[1]) return undefined;
    if (last !== undefined && place === last[1]) last[1]++;
    else keep.push([place, place + 1]);
  }
  if (keep.length === 0) return undefined;
  return { keep, messages: next.slice(added) };
}
