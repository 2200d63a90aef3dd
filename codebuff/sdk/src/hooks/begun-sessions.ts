export type SessionSource = "startup" | "resume" | "clear";
type SessionEndReason = "clear" | "other";
type TellEnd = (reason: SessionEndReason) => Promise<unknown>;

/** The sessions whose beginning the hooks of a client were told: each is begun once, and its end is told once. */
export class BegunSessions {
  readonly #ends = new Map<string, TellEnd>();
  #hasLeft = false;

  /** How the session begins with this prompt; undefined when it goes on. `tellEnd` is that of the newest run. */
  begin(id: string, { hasHistory, tellEnd }: { hasHistory: boolean; tellEnd: TellEnd }): SessionSource | undefined {
    const isNew = !this.#ends.has(id);
    this.#ends.set(id, tellEnd);
    if (!isNew) return undefined;
    if (hasHistory) return "resume";
    return this.#hasLeft ? "clear" : "startup";
  }

  /** The person goes to another session. */
  async leave(id: string): Promise<void> {
    this.#hasLeft = true;
    const tellEnd = this.#ends.get(id);
    this.#ends.delete(id);
    await tellEnd?.("clear");
  }

  async close(): Promise<void> {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    await Promise.all(ends.map((tellEnd) => tellEnd("other")));
  }
}
