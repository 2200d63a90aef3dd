/** What shows a chat, for as long as it lasts: the screen, or plain lines. */
export interface ChatFront {
  /** The first thing the person sees. */
  start(banner: readonly string[]): void;
  /** The transcript has grown; at most 30 times a second something is painted. */
  transcriptChanged(): void;
  /** Anything else: a dialog, the queue, the settings. */
  changed(): void;
  /** The items from here on are those of a session that was opened: its last two screens are shown. */
  opened(from: number): void;
  notify(title: string): void;
  /** The text in the person's editor; undefined when that does not work. */
  edit(text: string): Promise<string | undefined>;
  /** As if the person had typed it and pressed Enter. */
  submit(text: string): void;
  /** Into the line the person writes in, where it can be changed before it is sent. */
  draft(text: string): void;
  copy(text: string): void;
  openPage(): void;
  /** The keys of vim, or the usual ones; without an argument the others than now. Tells what holds then. */
  setVim?(isOn?: boolean): boolean;
  /** What was typed in an earlier chat. */
  addToHistory(line: string): void;
  /** Ctrl-C where it is a signal and no key. */
  interrupt?(): void;
  /** Everything that was said is written and the terminal is as it was. Called twice, the second does nothing. */
  close(): void;
}
