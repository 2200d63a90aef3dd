import { type Appended, type Damage, Log, type LogOptions, linesOf } from "../src/index.ts";
import { type Draft, newLines, textForm, textFraming } from "./text-lines.mjs";

export type TextLine = { sequence: number; time: string; name: string } & (Draft | { type: "damage"; data: Damage });

export interface TextLogOptions extends Omit<LogOptions, "form"> {
  now?: () => number;
}

/** A log of texts, the smallest view there is on a log. */
export interface TextLog extends Log {
  say(drafts: readonly Draft[]): Appended;
  lines(after: number): AsyncIterable<TextLine>;
}

export const says = (text: string): Draft => ({ type: "text", data: { text } });
export const ended: Draft = { type: "end", data: {} };

export async function openTextLog({ now = Date.now, ...options }: TextLogOptions): Promise<TextLog> {
  const log = await Log.open({ framing: textFraming, ...options, form: textForm("s1") });
  return Object.assign(log, {
    say: (drafts: readonly Draft[]) => {
      const time = new Date(now()).toISOString();
      return log.append(newLines({ name: "s1", first: log.nextSequence(), time }, drafts));
    },
    lines: (after: number) => parse(log.blocks(after)),
  });
}

async function* parse(blocks: ReturnType<Log["blocks"]>): AsyncGenerator<TextLine, void, undefined> {
  for await (const block of blocks) for (const line of linesOf(block)) yield JSON.parse(line.toString()) as TextLine;
}
