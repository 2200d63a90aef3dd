/**
 * Bash takes a backslash at the end of a line away before it reads words, but not in single quotes, comments and quoted
 * here-documents. Where that could be read in more than one way all ways are returned, and all of them are judged.
 */
export function joinContinuedLines(text: string): string[] {
  if (!text.includes("\\\n")) return [text];
  const isSure = !text.includes("<<") && !text.includes("$'");
  return isSure ? [join(text)] : [...new Set([join(text), text, text.replaceAll("\\\n", "")])];
}

function join(text: string): string {
  let result = "";
  let quote: "'" | '"' | "#" | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\" && quote !== "'" && quote !== "#") {
      if (text[at + 1] !== "\n") result += character + (text[at + 1] ?? "");
      at += 1;
      continue;
    }
    if (quote === undefined && character === "#" && /(?:^|[\s;|&()<>])$/.test(result)) quote = "#";
    else if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (quote === character || (quote === "#" && character === "\n")) quote = undefined;
    result += character;
  }
  return result;
}
