import { appendFile, readFile, truncate } from "node:fs/promises";
import { parseJson } from "@muster/core";
import { replaceFile } from "@muster/node";
import { z } from "zod";
import { differenceOf, Point, replay, type Snapshot } from "./points.ts";

const Head = z.object({
  format: z.literal(1),
  /** Permissions are told against this umask, whatever that of a later process is. */
  umask: z.int(),
  /** Of the next point, also after points were dropped. */
  next: z.int().positive(),
});

/** The points of one directory, oldest first: a line each, appended. A line that a kill cut is no point. */
export class PointLog {
  readonly umask: number;
  readonly #file: string;
  #points: Point[];
  #next: number;
  #newest: Snapshot | null;

  private constructor(file: string, { umask, next, points }: { umask: number; next: number; points: Point[] }) {
    this.umask = umask;
    this.#file = file;
    this.#points = points;
    this.#next = Math.max(next, (points.at(-1)?.n ?? 0) + 1);
    this.#newest = replay(points);
  }

  static async open(file: string): Promise<PointLog> {
    const text = await readFile(file, "utf8").catch(() => undefined);
    const fresh = { format: 1 as const, umask: process.umask(), next: 1 };
    const lines = (text ?? "").split("\n");
    const head = Head.safeParse(parseJson(lines[0] ?? ""));
    if (!head.success) {
      // A file that cannot be read is set aside, not overwritten: it may be of a newer version.
      if (text !== undefined && text !== "") await replaceFile(`${file}.unreadable`, text);
      await replaceFile(file, `${JSON.stringify(fresh)}\n`);
      return new PointLog(file, { ...fresh, points: [] });
    }
    const points: Point[] = [];
    let good = Buffer.byteLength(`${lines[0]}\n`);
    for (const line of lines.slice(1, -1)) {
      const point = Point.safeParse(parseJson(line));
      if (!point.success) break;
      points.push(point.data);
      good += Buffer.byteLength(`${line}\n`);
    }
    if (text !== undefined && good < Buffer.byteLength(text)) {
      // More than the one line that a kill can cut is worth keeping for whoever looks for it.
      if (text.slice(0, -1).split("\n").length - 1 > points.length + 1) await replaceFile(`${file}.unreadable`, text);
      await truncate(file, good);
    }
    return new PointLog(file, { ...head.data, points });
  }

  get newest(): Snapshot | null {
    return this.#newest;
  }

  get all(): readonly Point[] {
    return this.#points;
  }

  /** The number that the next point will have. */
  get nextN(): number {
    return this.#next;
  }

  /** The newest point's number, 0 before the first. */
  get lastN(): number {
    return this.#points.at(-1)?.n ?? 0;
  }

  async append(
    snapshot: Omit<Snapshot, "n">,
    about: Pick<Point, "kind" | "session" | "turn" | "changes" | "move">,
  ): Promise<Point> {
    const point: Point = {
      n: this.#next,
      time: new Date().toISOString(),
      lookedAt: snapshot.lookedAt,
      ...about,
      ...differenceOf(this.#newest, snapshot),
    };
    await appendFile(this.#file, `${JSON.stringify(spare(point))}\n`);
    this.#next += 1;
    this.#points.push(point);
    this.#newest = { ...snapshot, n: point.n };
    return point;
  }

  /** The work tree as it was at a point; undefined when the point was dropped. */
  snapshotAt(n: number): Snapshot | undefined {
    if (n === this.#newest?.n) return this.#newest;
    const until = this.#points.findIndex((point) => point.n === n);
    if (until < 0) return undefined;
    return replay(this.#points.slice(0, until + 1)) ?? undefined;
  }

  after(n: number): readonly Point[] {
    return this.#points.filter((point) => point.n > n);
  }

  /** Drops points that are not wanted any more. What they say of who changed what stays as long as an older point does. */
  async drop(isWanted: (point: Point) => boolean): Promise<Point[]> {
    const first = this.#points.findIndex(isWanted);
    const dropped = first < 0 ? this.#points.slice() : this.#points.slice(0, first);
    if (dropped.length === 0) return [];
    const kept = this.#points.slice(dropped.length);
    const [oldest] = kept;
    if (oldest !== undefined) {
      const snapshot = this.snapshotAt(oldest.n);
      if (snapshot !== undefined) kept[0] = { ...oldest, changes: [], ...differenceOf(null, snapshot) };
    }
    await this.#rewrite(kept);
    return dropped;
  }

  /** Puts points before everything that is known, which must be nothing yet. */
  async seed(points: readonly Point[]): Promise<void> {
    await this.#rewrite([...points]);
  }

  async #rewrite(points: Point[]): Promise<void> {
    const next = Math.max(this.#next, (points.at(-1)?.n ?? 0) + 1);
    const lines = [{ format: 1, umask: this.umask, next }, ...points.map(spare)];
    await replaceFile(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    this.#points = points;
    this.#next = next;
    this.#newest = replay(points);
  }
}

/** Without what says nothing: most points of a large tree are a few dozen bytes. */
function spare(point: Point): Partial<Point> {
  const fields = Object.entries(point).filter(([, value]) => {
    if (value === undefined) return false;
    return typeof value !== "object" || value === null || Object.keys(value).length > 0;
  });
  return Object.fromEntries(fields);
}
