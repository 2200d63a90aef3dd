/** A word of a command line after quotes are gone. `sure` is false when only the shell knows its text. */
export interface ShellWord {
  readonly text: string;
  readonly sure: boolean;
}

export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  readonly redirects: readonly { readonly operator: string; readonly target: ShellWord }[];
  /** The command whose output is this one's input. */
  readonly pipedFrom: SimpleCommand | undefined;
  readonly hereText: string | undefined;
}

export interface ShellReading {
  /** In the order of the text; commands inside $(…), `…` and <(…) come before the one they are in. */
  readonly commands: readonly SimpleCommand[];
  /** False when quotes or brackets stay open: the reading is then a guess. */
  readonly complete: boolean;
}

/** Reads enough of the shell's grammar to know which programs are called with which words. */
export function readShell(text: string): ShellReading {
  const reader = new Reader(text);
  reader.readAll();
  return { commands: reader.commands, complete: reader.complete };
}

/** Stand in front of a command without being one. */
const leading = new Set([
  "if",
  "then",
  "else",
  "elif",
  "do",
  "while",
  "until",
  "!",
  "{",
  "}",
  "fi",
  "done",
  "esac",
  "time",
]);
const operators = ["&&", "||", ";;", "|&", ";", "|", "&", "\n", "(", ")"];
const redirections = ["<<<", "<<-", "<<", "&>>", "&>", ">>", ">|", ">&", "<&", "<>", ">", "<"];

class Reader {
  readonly commands: SimpleCommand[] = [];
  complete = true;
  readonly #text: string;
  #at = 0;
  #words: ShellWord[] = [];
  #redirects: { operator: string; target: ShellWord }[] = [];
  #pipedFrom: SimpleCommand | undefined;
  #here: { end: string; strip: boolean }[] = [];
  #hereText: string | undefined;

  constructor(text: string) {
    this.#text = text.replaceAll("\\\n", "");
  }

  readAll(): void {
    while (this.#at < this.#text.length) {
      const rest = this.#text.slice(this.#at, this.#at + 3);
      if (/^[^\S\n]/.test(rest)) this.#at += 1;
      else if (rest.startsWith("#") && /(^|[\s;|&(])$/.test(this.#text.slice(0, this.#at))) this.#skipComment();
      else if (!this.#redirection() && !this.#operator()) this.#words.push(this.#word());
    }
    this.#close(false);
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #redirection(): boolean {
    const match = /^(\d*)(.{0,3})/s.exec(this.#text.slice(this.#at, this.#at + 8));
    const digits = match?.[1] ?? "";
    const operator = redirections.find((one) => match?.[2]?.startsWith(one));
    if (operator === undefined || this.#text.startsWith("<(", this.#at) || this.#text.startsWith(">(", this.#at))
      return false;
    this.#at += digits.length + operator.length;
    while (/[ \t]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    const target = this.#word();
    if (operator === "<<" || operator === "<<-") this.#here.push({ end: target.text, strip: operator === "<<-" });
    else if (operator === "<<<") this.#hereText = target.text;
    else this.#redirects.push({ operator, target });
    return true;
  }

  #operator(): boolean {
    const operator = operators.find((one) => this.#text.startsWith(one, this.#at));
    if (operator === undefined) return false;
    this.#at += operator.length;
    if (operator === "\n") this.#readHere();
    this.#close(operator === "|" || operator === "|&");
    return true;
  }

  #readHere(): void {
    for (const { end, strip } of this.#here) {
      const lines: string[] = [];
      for (;;) {
        const stop = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, stop < 0 ? this.#text.length : stop);
        const reachedEnd = this.#at >= this.#text.length;
        this.#at = stop < 0 ? this.#text.length : stop + 1;
        if ((strip ? line.replace(/^\t+/, "") : line) === end) break;
        if (reachedEnd) {
          this.complete = false;
          break;
        }
        lines.push(line);
      }
      this.#hereText = lines.join("\n");
    }
    this.#here = [];
  }

  #close(pipes: boolean): void {
    const words = this.#words;
    while (words[0] !== undefined && leading.has(words[0].text)) words.shift();
    if (words[0]?.text === "for" || words[0]?.text === "case" || words[0]?.text === "select") words.length = 0;
    const command = { words, redirects: this.#redirects, pipedFrom: this.#pipedFrom, hereText: this.#hereText };
    const isEmpty = words.length === 0 && this.#redirects.length === 0;
    if (!isEmpty) this.commands.push(command);
    this.#pipedFrom = pipes && !isEmpty ? command : undefined;
    this.#words = [];
    this.#redirects = [];
    this.#hereText = undefined;
  }

  #word(): ShellWord {
    let text = "";
    let sure = true;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? "";
      if (/[\s;|&()<>]/.test(character) && !/^[<>]\(/.test(this.#text.slice(this.#at, this.#at + 2))) break;
      if (character === "\\") {
        text += this.#text[this.#at + 1] ?? "";
        this.#at += 2;
      } else if (character === "'") {
        text += this.#until("'", this.#at + 1);
      } else if (character === '"') {
        const quoted = this.#doubleQuoted();
        text += quoted.text;
        sure &&= quoted.sure;
      } else if (character === "$" || character === "`" || /^[<>]\(/.test(this.#text.slice(this.#at, this.#at + 2))) {
        const expanded = this.#expansion();
        text += expanded.text;
        sure &&= expanded.sure;
      } else {
        text += character;
        this.#at += 1;
      }
    }
    return { text, sure };
  }

  #until(end: string, from: number): string {
    const stop = this.#text.indexOf(end, from);
    if (stop < 0) this.complete = false;
    this.#at = stop < 0 ? this.#text.length : stop + 1;
    return this.#text.slice(from, stop < 0 ? undefined : stop);
  }

  #doubleQuoted(): ShellWord {
    let text = "";
    let sure = true;
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) {
        this.complete = false;
        return { text, sure };
      }
      if (character === '"') {
        this.#at += 1;
        return { text, sure };
      }
      if (character === "\\" && /["\\$`]/.test(this.#text[this.#at + 1] ?? "")) {
        text += this.#text[this.#at + 1];
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        const expanded = this.#expansion();
        text += expanded.text;
        sure &&= expanded.sure;
      } else {
        text += character;
        this.#at += 1;
      }
    }
  }

  /** $NAME and ${NAME} stay as text for those who know some names; commands inside are read too. */
  #expansion(): ShellWord {
    if (this.#text[this.#at] === "`") return this.#nested(this.#until("`", this.#at + 1));
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (this.#text.startsWith("$((", this.#at)) {
      this.#balanced();
      return { text: "0", sure: false };
    }
    if (two === "$(" || two === "<(" || two === ">(") return this.#nested(this.#balanced());
    if (two === "$'") return { text: this.#until("'", this.#at + 2), sure: false };
    const name = /^\$(?:\{[^}]*\}|\w+|[?$!#@*-])/.exec(this.#text.slice(this.#at))?.[0];
    this.#at += name?.length ?? 1;
    return { text: name ?? "$", sure: name === undefined };
  }

  #balanced(): string {
    const from = this.#at + 2;
    let depth = 1;
    let at = from;
    for (; at < this.#text.length && depth > 0; at += 1) {
      const character = this.#text[at];
      if (character === "\\") at += 1;
      else if (character === "'" || character === '"') {
        const close = this.#text.indexOf(character, at + 1);
        at = close < 0 ? this.#text.length : close;
      } else if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
    }
    if (depth > 0) this.complete = false;
    this.#at = at;
    return this.#text.slice(from, depth > 0 ? at : at - 1);
  }

  #nested(text: string): ShellWord {
    const inner = readShell(text);
    this.commands.push(...inner.commands);
    this.complete &&= inner.complete;
    return { text: `$(${text})`, sure: false };
  }
}
