import { statSync, utimesSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import { type By, type Place, person } from "./author.ts";

const Span = z.object({
  session: z.string(),
  turn: z.int().nonnegative(),
  since: z.number(),
  /** The look before its begin: nobody has noticed what the person did between the two, which is next to nothing. */
  lookedAt: z.number(),
  /** Null while the turn goes on. */
  until: z.number().nullable(),
  /** A kill cut it: it went on for at most a second, and what it had started perhaps longer. */
  isCut: z.boolean().default(false),
});
type Span = z.infer<typeof Span>;

const Kept = z.object({ spans: z.array(Span), lookedAt: z.number() });

const beatMs = 1000;

/**
 * Who was at work since the last look. A file of its own keeps it over a kill; while a turn goes on its time is renewed
 * every second, so that what was changed long after the end of this process is not taken for the turn's.
 */
export class WorkSpans {
  readonly #file: string;
  #spans: Span[];
  #lookedAt: number;
  #beat: NodeJS.Timeout | undefined;

  private constructor(file: string, { spans, lookedAt }: z.infer<typeof Kept>) {
    this.#file = file;
    this.#spans = spans;
    this.#lookedAt = lookedAt;
  }

  /** Turns that a kill cut ended when this file was last renewed. */
  static async open(file: string): Promise<WorkSpans> {
    const text = await readFile(file, "utf8").catch(() => undefined);
    const kept = Kept.safeParse(parseJson(text)).data ?? { spans: [], lookedAt: 0 };
    const last = text === undefined ? 0 : statSync(file).mtimeMs;
    const spans = kept.spans.map((span) => (span.until === null ? { ...span, until: last, isCut: true } : span));
    return new WorkSpans(file, { spans, lookedAt: kept.lookedAt });
  }

  /** `wasLooked`: the look that was to be taken before it was. */
  begin({ session, turn }: Place, { wasLooked }: { wasLooked: boolean }): Promise<void> {
    this.#end(session);
    const since = Date.now();
    this.#spans.push({ session, turn, since, lookedAt: wasLooked ? this.#lookedAt : since, until: null, isCut: false });
    this.#beat ??= setInterval(() => this.#renew(), beatMs).unref();
    return this.#keep();
  }

  end({ session }: Place): Promise<void> {
    this.#end(session);
    if (this.#spans.every(({ until }) => until !== null)) this.close();
    return this.#keep();
  }

  /** When everything was attributed last, in ms. */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  /** Everything until `at` is attributed: whoever works on is at work since then. */
  looked(at: number): Promise<void> {
    this.#spans = this.#spans.filter(({ until }) => until === null || until > at);
    this.#lookedAt = at;
    return this.#keep();
  }

  /**
   * Who may have made a change that was not later than `at`, nor earlier than `from`: every turn that went on then, and the
   * person if there was a time when none did. Whoever cannot be told apart is named with the others.
   */
  candidates({ from, at }: { from: number; at: number }): By[] {
    const begun = this.#spans.filter(
      ({ since, until, isCut }) => since <= at && (until === null || isCut || until >= Math.floor(from)),
    );
    const by = begun.map(({ session, turn }): By => ({ session, turn, how: "command" }));
    if (by.length === 0) return [person];
    return this.#hasGap(begun, { from, at }) ? [...by, person] : by;
  }

  close(): void {
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  /** Whether some time after the last look and between the two belongs to no turn. */
  #hasGap(begun: readonly Span[], { from, at }: { from: number; at: number }): boolean {
    let covered = Math.max(this.#lookedAt, Math.floor(from));
    for (const { lookedAt, until } of begun.toSorted((a, b) => a.since - b.since)) {
      if (lookedAt > covered) return true;
      covered = Math.max(covered, until ?? Number.POSITIVE_INFINITY);
    }
    // Times of files have fractions of a millisecond, ours do not.
    return covered < Math.floor(at);
  }

  #end(session: string): void {
    for (const span of this.#spans) if (span.session === session) span.until ??= Date.now();
  }

  #renew(): void {
    const now = new Date();
    try {
      utimesSync(this.#file, now, now);
    } catch {
      // The store was removed: nothing is left to be told apart.
    }
  }

  async #keep(): Promise<void> {
    await replaceFile(this.#file, JSON.stringify({ spans: this.#spans, lookedAt: this.#lookedAt }));
  }
}
