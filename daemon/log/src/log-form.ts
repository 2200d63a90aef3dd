import type { Damage } from "./damage.ts";

/** What a log is told about its lines. A line is one JSON object that begins with its number and has no line break in it. */
export interface LogForm {
  /** Whose log it is, such as `{ sessionId }`: in the header of every segment, and in the fields of every failure. */
  readonly owner: Readonly<Record<string, string>>;
  /** Those of whose logs it shares the beginning. */
  readonly ancestors?: readonly Readonly<Record<string, string>>[];
  /** What failures call the log. */
  readonly title: string;
  /** The files are `<prefix>-<number of the first line>.jsonl`. */
  readonly prefix: string;
  /** What every line begins with, up to the digits of its number; a comma follows them. */
  readonly key: string;
  /** Bytes of the longest line, without its newline. */
  readonly longest: number;
  /** Bytes that no line is shorter than: a number that damaged bytes name is believed only if so many lines fit there. */
  readonly shortest: number;
  /** Whether the line at `start` is one that a reader may leave out. */
  isSkippable(bytes: Buffer, start: number): boolean;
  /** The line that stands for lost ones. It has the last of their numbers, and depends on its arguments alone. */
  damageLine(damage: Damage, time: string): string;
}
