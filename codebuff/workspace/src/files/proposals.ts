import type { EditTarget } from "./edit-files.ts";
import { readTextFile } from "./text-file.ts";

/** Texts that were proposed and are nowhere on disk. Each run has its own; they stack until the run is dropped. */
export class Proposals {
  readonly #runs = new Map<string, Map<string, string>>();

  target(runId: string): EditTarget {
    const texts = this.#runs.get(runId) ?? new Map<string, string>();
    this.#runs.set(runId, texts);
    const keep = async (real: string, text: string) => void texts.set(real, text);
    return {
      async read({ real }) {
        const text = texts.get(real) ?? (await readTextFile(real))?.text;
        return text === undefined ? undefined : { text, write: (next) => keep(real, next) };
      },
      create: ({ real }, text) => keep(real, text),
    };
  }

  drop(runId: string): void {
    this.#runs.delete(runId);
  }
}
