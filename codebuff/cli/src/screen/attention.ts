/** Where a terminal never tells about its focus, the person gets this long to look by themselves. */
const patienceMs = 10_000;

/** Calls the person when something waits for them and they look elsewhere; also the title of the window. */
export class Attention {
  readonly #write: (text: string) => void;
  #hasFocus: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasTitle = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  focus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    if (hasFocus) this.seen();
  }

  /** A key was pressed: the person is there. */
  seen(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  want(title: string): void {
    if (this.#hasFocus === true) return;
    this.seen();
    if (this.#hasFocus === false) return this.#call(title);
    this.#timer = setTimeout(() => this.#call(title), patienceMs);
    this.#timer.unref();
  }

  setTitle(text: string): void {
    // The title of before is put on the terminal's stack and taken back at the end.
    if (!this.#hasTitle) this.#write("\u001b[22;0t");
    this.#hasTitle = true;
    this.#write(`\u001b]0;${clean(text)}\u0007`);
  }

  close(): void {
    this.seen();
    if (this.#hasTitle) this.#write("\u001b[23;0t");
    this.#hasTitle = false;
  }

  #call(title: string): void {
    const text = clean(title);
    this.#write(`\u001b]9;${text}\u0007\u001b]777;notify;codebuff;${text}\u0007\u0007`);
  }
}

function clean(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")
    .replaceAll(";", ",")
    .slice(0, 80);
}
