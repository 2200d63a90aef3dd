/** What the screen sees of a terminal; a test gives it one without a window. */
export interface TerminalPort {
  readonly columns: number;
  readonly rows: number;
  write(data: string): void;
  /** Begins to listen: keys come as whole sequences, a paste between its brackets. */
  start(listener: TerminalListener): void;
  /** Gives the terminal back as it was. Called twice, the second does nothing. */
  stop(): void;
}

export interface TerminalListener {
  onInput(sequence: string): void;
  onResize(): void;
  /** Nobody types any more: the window was closed. */
  onEnd(): void;
}
