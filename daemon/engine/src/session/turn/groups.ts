/** Values by a name that several may share: those of one name are found without looking at the others. */
export class Groups<Value> {
  readonly #groups = new Map<string, Set<Value>>();

  add(name: string, value: Value): void {
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, new Set([value]));
    else group.add(value);
  }

  remove(name: string, value: Value): void {
    const group = this.#groups.get(name);
    group?.delete(value);
    if (group?.size === 0) this.#groups.delete(name);
  }

  of(name: string): Value[] {
    return [...(this.#groups.get(name) ?? [])];
  }

  /** Gives them out for good. */
  take(name: string): Value[] {
    const group = this.of(name);
    this.#groups.delete(name);
    return group;
  }
}
