import { readTextFile } from "./access/text-file.ts";
import type { EditTarget } from "./edit-files.ts";

/** Texts that were proposed and are nowhere on disk. They stack as long as the target lives: one agent's run. */
export function proposals(): EditTarget {
  const texts = new Map<string, string>();
  const keep = async (real: string, text: string) => void texts.set(real, text);
  return {
    needsApproval: false,
    async read({ real }) {
      const text = texts.get(real) ?? (await readTextFile(real))?.text;
      return text === undefined ? undefined : { text, write: (next) => keep(real, next) };
    },
    create: ({ real }, text) => keep(real, text),
  };
}
