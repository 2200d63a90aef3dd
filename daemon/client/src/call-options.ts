/** What every call takes beside its fields. */
export interface CallOptions {
  /** Ends the call, or the reading of a stream, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Tried again, as streams are, while the daemon does not answer: for reading, and for what is the same when it
   * is asked twice, such as a message with an id of its own.
   */
  retry?: boolean | undefined;
  /**
   * What the call may take, in milliseconds, before it fails with `CallTimeout`: 60 000 unless the client was given
   * another; five minutes where an agent may have to be installed first, half an hour for `agents.install`. Streams have no
   * such end: they count as broken after `silenceMs` without a sign of life.
   */
  timeoutMs?: number | undefined;
}
