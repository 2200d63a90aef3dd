const wrapped = /^(?:\S*\/)?(?:bash|zsh|sh|dash) -l?c ([\s\S]+)$/;

/** The command a person would have typed: Codex shows it as the argument of the shell it starts. */
export function readableCommand(command: string): string {
  const argument = wrapped.exec(command)?.[1];
  return argument === undefined ? command : (unquote(argument) ?? command);
}

/** One shell word without its quotes; undefined when it is more than one word. */
function unquote(word: string): string | undefined {
  let text = "";
  for (let at = 0; at < word.length; ) {
    const char = word[at] as string;
    if (char === "'") {
      const end = word.indexOf("'", at + 1);
      if (end < 0) return undefined;
      text += word.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const end = closingQuote(word, at + 1);
      if (end < 0) return undefined;
      text += word.slice(at + 1, end).replace(/\\(["\\$`])/g, "$1");
      at = end + 1;
    } else if (char === "\\") {
      text += word[at + 1] ?? "";
      at += 2;
    } else if (/\s/.test(char)) {
      return undefined;
    } else {
      text += char;
      at++;
    }
  }
  return text;
}

function closingQuote(word: string, from: number): number {
  for (let at = from; at < word.length; at++) {
    if (word[at] === "\\") at++;
    else if (word[at] === '"') return at;
  }
  return -1;
}
