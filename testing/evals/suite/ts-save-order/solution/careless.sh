cat > src/saver.ts <<'TS'
export interface Store {
  write(text: string): Promise<void>;
}

export class Saver {
  readonly #store: Store;
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  save(text: string): Promise<void> {
    this.#last = this.#last.then(() => this.#store.write(text));
    return this.#last;
  }
}
TS
