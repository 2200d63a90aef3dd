export interface ReadArguments {
  readonly value: unknown;
  /** What had to be mended, in words; empty when the text was good. */
  readonly repaired: readonly string[];
}

/** The JSON of a model's arguments. Mends only what has one reading; undefined when that is not enough. */
export function readArguments(text: string): ReadArguments | undefined {
  if (text.trim() === "") return { value: {}, repaired: [] };
  const plain = parse(text);
  const mended = plain === undefined ? mend(text) : { value: plain.value, repaired: [] };
  if (mended === undefined) return undefined;
  if (typeof mended.value !== "string") return mended;
  const inner = parse(mended.value) ?? mend(mended.value);
  return inner === undefined ? mended : { value: inner.value, repaired: [...mended.repaired, "stringified input"] };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the caller mends it or says that it is unreadable
  }
}

function mend(text: string): ReadArguments | undefined {
  const repaired = new Set<string>();
  let result = "";
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (isInString) {
      if (character === "\\") {
        result += character + (text[++index] ?? "");
        continue;
      }
      if (character === '"') isInString = false;
      const escaped = character < " " ? JSON.stringify(character).slice(1, -1) : character;
      if (escaped !== character) repaired.add("unescaped control characters");
      result += escaped;
      continue;
    }
    if (character === '"') isInString = true;
    if (character === "," && /^\s*[}\]]/.test(text.slice(index + 1, index + 201))) {
      repaired.add("trailing comma");
      continue;
    }
    result += character;
  }
  const value = parse(result);
  return value === undefined || repaired.size === 0 ? undefined : { value: value.value, repaired: [...repaired] };
}
