/** A word of a command line after quotes are gone. `sure` is false when only the shell knows its text. */
export interface ShellWord {
  readonly text: string;
  readonly sure: boolean;
  /** An unquoted pattern: the shell puts the names of files in its place. */
  readonly glob?: boolean;
  /** Unknown and not quoted: it may become several words, or none. */
  readonly splits?: boolean;
}
