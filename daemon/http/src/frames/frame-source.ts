/** A place to take complete SSE frames from: a reader of a log, or something that dresses one up. */
export interface FrameSource {
  take(): Buffer | undefined;
  /** null: there will be no more. */
  next(): Promise<Buffer | null>;
  close(): void;
}
