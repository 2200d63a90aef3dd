/** Every number that decides how long a terminal waits and how much it keeps. */
export const limits = {
  /** Characters of output in one result. Agent mode: about 10,000 tokens. */
  resultCharacters: 50_000,
  agentResultCharacters: 40_000,
  updateCharacters: 5_000,
  /** Agent mode returns early when a program has written something and then nothing for this long. */
  quietMs: 3_000,
  /** The same after input was typed or a key was pressed: the answer of a prompt comes at once. */
  inputQuietMs: 750,
  /** SIGTERM to SIGKILL after a timeout, and after an abort (which must return within 200 ms). */
  timeoutGraceMs: 1_500,
  abortGraceMs: 40,
  closeGraceMs: 5_000,
  sessions: 64,
  backgroundProcesses: 64,
} as const;
