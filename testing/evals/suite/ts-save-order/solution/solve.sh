cat > src/saver.ts <<'TS'
export interface Store {
  write(text: string): Promise<void>;
}

interface Waiting {
  text: string;
  written: Promise<void>;
}

/** Writes one draft after the other; of those that wait only the newest is written, for all of them. */
export class Saver {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  save(text: string): Promise<void> {
    if (this.#waiting !== undefined) {
      this.#waiting.text = text;
      return this.#waiting.written;
    }
    const waiting: Waiting = { text, written: Promise.resolve() };
    waiting.written = this.#last.then(() => {
      this.#waiting = undefined;
      return this.#store.write(waiting.text);
    });
    this.#waiting = waiting;
    // A write that failed is told to those it was for; the next is tried all the same.
    this.#last = waiting.written.catch(() => {});
    return waiting.written;
  }
}
TS
python3 - <<'PY'
text = open("src/saver.ts").read()
# The first draft is begun at once, so that what follows it waits.
text = text.replace("    const waiting: Waiting", "    if (!this.#busy) return this.#begin(text);\n    const waiting: Waiting", 1)
text = text.replace("  save(text", "  #busy = false;\n\n  #begin(text: string): Promise<void> {\n    this.#busy = true;\n    const written = this.#store.write(text);\n    this.#last = written.catch(() => {}).then(() => {\n      if (this.#waiting === undefined) this.#busy = false;\n    });\n    return written;\n  }\n\n  save(text", 1)
text = text.replace("    this.#last = waiting.written.catch(() => {});", "    this.#last = waiting.written\n      .catch(() => {})\n      .then(() => {\n        if (this.#waiting === undefined) this.#busy = false;\n      });")
open("src/saver.ts", "w").write(text)
PY
