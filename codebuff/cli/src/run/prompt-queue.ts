import { ModeName } from "@muster/codebuff-protocol";
import { z } from "zod";

/** A prompt with everything that goes with it, as the session file keeps it. */
export const QueuedPrompt = z.object({
  id: z.string(),
  text: z.string(),
  texts: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  images: z.array(z.object({ name: z.string(), image: z.string(), mediaType: z.string() })).default([]),
  agent: z.string().optional(),
  agentMode: z.boolean().optional(),
  mode: ModeName.optional(),
});
export type QueuedPrompt = z.infer<typeof QueuedPrompt>;

/**
 * The prompts that wait for the agent. Every change is in the session file before anybody sees it, so that a crash loses
 * none; the run gets them one by one.
 */
export class PromptQueue {
  readonly #save: (entries: readonly QueuedPrompt[]) => Promise<void>;
  #entries: readonly QueuedPrompt[] = [];
  #isPaused = false;
  #writing: Promise<unknown>;

  /** Nothing is added before it is `ready`: what an earlier process left comes first. */
  constructor(save: (entries: readonly QueuedPrompt[]) => Promise<void>, ready: Promise<void> = Promise.resolve()) {
    this.#save = save;
    this.#writing = ready;
  }

  get entries(): readonly QueuedPrompt[] {
    return this.#entries;
  }

  /** An interrupt stops what would be sent next until the person says so. */
  get isPaused(): boolean {
    return this.#isPaused && this.#entries.length > 0;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** What an earlier process left. */
  restore(entries: readonly QueuedPrompt[]): void {
    this.#entries = entries;
    this.#isPaused = entries.length > 0;
  }

  add(entry: QueuedPrompt): Promise<void> {
    return this.#change((entries) => [...entries, entry]);
  }

  /** Others take the place of one; none removes it. */
  replace(id: string, others: readonly QueuedPrompt[]): Promise<void> {
    return this.#change((entries) => entries.flatMap((entry) => (entry.id === id ? others : [entry])));
  }

  clear(): Promise<void> {
    return this.#change(() => []);
  }

  /**
   * The next prompt to send; undefined when there is none or the queue is paused. The file still names it until its run is
   * in there too: a crash in between loses nothing.
   */
  async take(): Promise<QueuedPrompt | undefined> {
    await this.#writing;
    const [first, ...rest] = this.#entries;
    if (first === undefined || this.#isPaused) return undefined;
    this.#entries = rest;
    return first;
  }

  #change(change: (entries: readonly QueuedPrompt[]) => readonly QueuedPrompt[]): Promise<void> {
    const changed = this.#writing.then(async () => {
      const next = change(this.#entries);
      await this.#save(next);
      this.#entries = next;
    });
    this.#writing = changed.catch(() => undefined);
    return changed;
  }
}
