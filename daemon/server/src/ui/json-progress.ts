/** Tells when a JSON object that arrives in pieces is whole, without parsing it again at every piece. */
export class JsonProgress {
  #text = "";
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  get text(): string {
    return this.#text;
  }

  /** The value, with the piece that completes it. */
  push(piece: string): { value: unknown } | undefined {
    this.#text += piece;
    for (const char of piece) this.#see(char);
    if (this.#depth > 0 || this.#inString || !/[}\]]\s*$/.test(piece)) return undefined;
    try {
      return { value: JSON.parse(this.#text) };
    } catch {
      // The finished item says what the input was.
      return undefined;
    }
  }

  #see(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#inString && char === "\\") this.#isEscaped = true;
    else if (char === '"') this.#inString = !this.#inString;
    else if (this.#inString) return;
    else if (char === "{" || char === "[") this.#depth++;
    else if (char === "}" || char === "]") this.#depth--;
  }
}
