import type { PrintModeEvent } from "@muster/codebuff-protocol";
import { Steering, type StreamChunk } from "@muster/codebuff-sdk";
import type { Entry } from "../transcript/items.ts";
import { Stopper } from "./stopper.ts";

export interface StreamingContext {
  readonly stopper: Stopper;
  readonly steering: Steering;
  readonly startedAt: number;
  /** When the run last said something. */
  readonly lastAt: () => number;
  readonly handleEvent: (event: PrintModeEvent) => void;
  readonly handleStreamChunk: (chunk: StreamChunk) => void;
  close(): void;
}

export interface StreamingOptions {
  readonly onEntry: (entry: Entry) => void;
  readonly onJoined: (messageId: string) => void;
  /** Once a second: the elapsed time on the screen. */
  readonly onTick: () => void;
  readonly timeoutMs?: number;
}

/** The second part of a prompt's way (B-2): what stops the run, what counts its time, and where its events go. */
export function setupStreamingContext({ onEntry, onJoined, onTick, timeoutMs }: StreamingOptions): StreamingContext {
  const startedAt = Date.now();
  let last = startedAt;
  const stopper = new Stopper();
  stopper.stopAfter(timeoutMs);
  const timer = setInterval(onTick, 1000);
  const tell = (event: PrintModeEvent) => {
    last = Date.now();
    // Nothing is added after an interrupt but the end itself.
    if (stopper.reason !== undefined && (event.type === "text" || event.type === "reasoning_delta")) return;
    onEntry({ ...event, at: last });
  };
  return {
    stopper,
    steering: new Steering({ onJoined }),
    startedAt,
    lastAt: () => last,
    // Whole blocks of text have been told in pieces already.
    handleEvent: (event) => {
      if (event.type !== "text") tell(event);
    },
    handleStreamChunk: (chunk) => {
      if (typeof chunk === "string") tell({ type: "text", text: chunk });
      else if (chunk.type === "subagent_chunk") tell({ type: "text", text: chunk.chunk, agentId: chunk.agentId });
    },
    close: () => {
      clearInterval(timer);
      stopper.close();
    },
  };
}
