import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "../src/commands.ts";
import { Conversion } from "../src/converter/conversion.ts";
import type { Converter } from "../src/converter/converter.ts";
import type { AgentExited, Signal } from "../src/signals.ts";
import type { Listener } from "./listener.ts";

/** One line of `native.jsonl`: everything that went into the converter, in order. */
export type RecordedInput = { line: string } | { command: Command } | { exit: AgentExited };

export function readRecorded(folder: string): { inputs: RecordedInput[]; events: Signal[] } {
  const events = JSON.parse(readFileSync(join(folder, "events.json"), "utf8")) as Signal[];
  return { inputs: readInputs(folder), events };
}

export function readInputs(folder: string): RecordedInput[] {
  const lines = readFileSync(join(folder, "native.jsonl"), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RecordedInput);
}

export function replay<State, Native>(converter: Converter<State, Native>, inputs: readonly RecordedInput[]): Signal[] {
  const conversion = new Conversion(converter);
  return inputs.flatMap((input) => {
    if ("line" in input) return conversion.line(input.line, []);
    if ("command" in input) return conversion.command(input.command, []);
    return conversion.exit(input.exit);
  });
}

/** Writes a life down while `drive` leads it; it is closed at the end. */
export async function record(folder: string, listener: Listener, drive: () => Promise<unknown>): Promise<void> {
  const inputs: RecordedInput[] = [];
  let read = 0;
  const take = () => {
    for (const { raw, bodies } of listener.outputs.slice(read)) {
      if (raw !== undefined) inputs.push({ line: raw });
      for (const body of bodies) if (body.type === "agent.exited") inputs.push({ exit: body.data });
    }
    read = listener.outputs.length;
  };
  listener.onCommand = (command) => {
    take();
    inputs.push({ command });
  };
  await drive();
  await listener.session.close();
  await listener.done;
  take();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "native.jsonl"), inputs.map((input) => `${JSON.stringify(input)}\n`).join(""));
  writeFileSync(join(folder, "events.json"), `${JSON.stringify(listener.signals, null, 1)}\n`);
}
