import type { Step } from "../../../src/converter/converter.ts";
import { addItem, emit } from "../../../src/converter/steps.ts";
import { unparsed } from "../../../src/converter/unparsed.ts";
import { TinyLine } from "./native.ts";

export interface TinyState {
  nextItem: number;
  version?: string;
}

export function onLine(state: TinyState, native: unknown): Step<TinyState, TinyLine> {
  const { data: line, success } = TinyLine.safeParse(native);
  if (!success) return emit(state, unparsed(native, "Unknown line", "tiny"));
  if ("hello" in line) return emit({ ...state, version: line.hello });
  if ("end" in line) {
    return emit(state, { type: "turn.finished", data: { status: "completed", messageIds: [line.end] } });
  }
  if ("begin" in line || "ask" in line) return emit(state);
  const content = [{ type: "text" as const, text: line.text }];
  return addItem(state, { kind: "message", role: "assistant", status: "completed", content });
}
