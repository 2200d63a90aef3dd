export interface Store {
  write(text: string): Promise<void>;
}

export class Saver {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async save(text: string): Promise<void> {
    await this.#store.write(text);
  }
}
