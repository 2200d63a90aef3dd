const mostWords = 64;

/** `a{b,c}d` → `abd`, `acd`, as bash makes words of it. Quoted braces and commas must be hidden by the caller. */
export function expandBraces(text: string): string[] {
  const words = [text];
  for (let at = 0; at < words.length; ) {
    const expanded = expandFirst(words[at] ?? "");
    if (expanded === undefined || words.length + expanded.length > mostWords) at += 1;
    else words.splice(at, 1, ...expanded);
  }
  return words;
}

function expandFirst(text: string): string[] | undefined {
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", open + 1)) {
    if (text[open - 1] === "$") continue;
    const parts = partsFrom(text, open);
    if (parts === undefined) continue;
    const before = text.slice(0, open);
    return parts.choices.map((choice) => before + choice + text.slice(parts.end));
  }
  return undefined;
}

function partsFrom(text: string, open: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      choices.push(text.slice(from, at));
      if (choices.length > 1) return { choices, end: at + 1 };
      const range = rangeOf(choices[0] ?? "");
      return range === undefined ? undefined : { choices: range, end: at + 1 };
    }
  }
  return undefined;
}

function rangeOf(text: string): string[] | undefined {
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text);
  const numbers = /^(-?\d+)\.\.(-?\d+)$/.exec(text);
  const [first, last] = letters
    ? [letters[1]?.charCodeAt(0) ?? 0, letters[2]?.charCodeAt(0) ?? 0]
    : [Number(numbers?.[1]), Number(numbers?.[2])];
  if ((letters ?? numbers) === null || Math.abs(last - first) >= mostWords) return undefined;
  const step = first <= last ? 1 : -1;
  const values = Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
  return values.map((value) => (letters ? String.fromCharCode(value) : String(value)));
}
