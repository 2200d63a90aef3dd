python3 - <<'PY'
text = open("src/cache.ts").read()
text = text.replace("  get(key", "  readonly #limit: number;\n\n  constructor(limit: number) {\n    this.#limit = limit;\n  }\n\n  get(key", 1)
text = text.replace("this.#entries.set(key, value);", "this.#entries.set(key, value);\n    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as string);")
open("src/cache.ts", "w").write(text)
PY
