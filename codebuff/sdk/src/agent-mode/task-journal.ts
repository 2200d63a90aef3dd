import { isDeepStrictEqual } from "node:util";
import { AgentModeResult, AgentModeRun, AgentState, emptyAgentState, type Message } from "@muster/codebuff-protocol";
import { z } from "zod";
import { SdkError } from "../sdk-error.ts";
import { sessionsFolder } from "../sessions/places.ts";
import { standingEntries } from "../sessions/restore-session.ts";
import type { Session } from "../sessions/session.ts";

const kind = "agent-mode";

/** What stands in the session file: each state as a change of the one before it, what was sent, and every result. */
const Note = z.discriminatedUnion("type", [
  z.object({ type: z.literal("state"), keep: z.int().min(0), state: AgentState }),
  z.object({ type: z.literal("sent"), seq: z.int().min(0) }),
  z.object({ type: z.literal("result"), result: AgentModeResult }),
  z.object({ type: z.literal("told"), run: AgentModeRun }),
]);
type Note = z.infer<typeof Note>;

/** The client's own memory of an agent's work, so that a task outlives this process and no call runs twice. */
export class TaskJournal {
  readonly #session: Session | undefined;
  readonly #results = new Map<string, AgentModeResult>();
  #state: AgentState = emptyAgentState;
  #seq = 0;
  /** The run as the last `finish` told it. */
  #told: AgentModeRun | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  static async open(session: Session | undefined, place: { home: string; root: string }): Promise<TaskJournal> {
    const journal = new TaskJournal(session);
    for (const note of session === undefined ? [] : await readNotes(session.id, place)) journal.#apply(note);
    return journal;
  }

  private constructor(session: Session | undefined) {
    this.#session = session;
  }

  get state(): AgentState {
    return this.#state;
  }

  keepState(state: AgentState): void {
    const keep = commonLength(this.#state.messageHistory, state.messageHistory);
    this.#write({ type: "state", keep, state: { ...state, messageHistory: state.messageHistory.slice(keep) } });
  }

  /** The number of the next message. It is on disk before the message goes out. */
  async nextSeq(): Promise<number> {
    this.#write({ type: "sent", seq: this.#seq + 1 });
    await this.settled();
    return this.#seq;
  }

  async keepResult(result: AgentModeResult): Promise<void> {
    this.#write({ type: "result", result });
    await this.settled();
  }

  resultOf(id: string): AgentModeResult | undefined {
    return this.#results.get(id);
  }

  /** Results of calls that were still open when the task was left. */
  openResults(): AgentModeResult[] | undefined {
    const known = this.#state.open?.calls.flatMap(({ id }) => this.#results.get(id) ?? []) ?? [];
    return known.length === 0 ? undefined : known;
  }

  /** The part of a run that no `finish` has told yet: one that is interrupted goes on later, with what it cost before. */
  async takeUntold(run: AgentModeRun): Promise<AgentModeRun> {
    const { id, steps, millicredits } = run;
    const told = this.#told?.id === id ? this.#told : { steps: 0, millicredits: 0 };
    this.#write({ type: "told", run });
    // What cannot be written is told all the same; the run is over.
    await this.settled().catch(() => undefined);
    return { ...run, steps: steps - told.steps, millicredits: millicredits - told.millicredits };
  }

  /** Rejects when the session file cannot be written: no call is run that nobody would remember. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #write(note: Note): void {
    this.#apply(note);
    const session = this.#session;
    if (session === undefined) return;
    this.#writing = this.#writing.then(() => session.note(kind, note));
    this.#writing.catch(() => undefined); // told by settled()
  }

  #apply(note: Note): void {
    switch (note.type) {
      case "state": {
        const { state, keep } = note;
        const messageHistory = [...this.#state.messageHistory.slice(0, keep), ...state.messageHistory];
        this.#state = { ...state, messageHistory };
        if (state.open === undefined) this.#results.clear();
        return;
      }
      case "sent":
        this.#seq = note.seq;
        return;
      case "result":
        this.#results.set(note.result.id, note.result);
        return;
      case "told":
        this.#told = note.run;
    }
  }
}

async function readNotes(id: string, { home, root }: { home: string; root: string }): Promise<Note[]> {
  try {
    const entries = await standingEntries(sessionsFolder(home, root), id);
    return entries.flatMap((entry) =>
      entry.type === "note" && entry.kind === kind ? (Note.safeParse(entry.value).data ?? []) : [],
    );
  } catch (error) {
    // A new session has no file before its first line.
    if (error instanceof SdkError && error.code === "session_not_found") return [];
    throw error;
  }
}

function commonLength(before: readonly Message[], after: readonly Message[]): number {
  let length = 0;
  while (length < after.length && length < before.length && isDeepStrictEqual(before[length], after[length])) length++;
  return length;
}
