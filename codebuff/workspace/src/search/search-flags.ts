export interface SearchFlags {
  /** Passed to ripgrep. */
  readonly args: readonly string[];
  /** Done by us, because ripgrep's JSON output knows no such form. */
  readonly show: "lines" | "files" | "counts" | "matches";
}

const plain = new Set(
  "-i --ignore-case -s --case-sensitive -S --smart-case -w --word-regexp -x --line-regexp -F --fixed-strings -v --invert-match -U --multiline --multiline-dotall -P --pcre2 --hidden --no-ignore --no-ignore-vcs --crlf --no-unicode --one-file-system".split(
    " ",
  ),
);
const valued = new Set(
  "-A --after-context -B --before-context -C --context -g --glob --iglob -t --type -T --type-not -m --max-count -d --max-depth -e --regexp --max-filesize".split(
    " ",
  ),
);
/** What our output has anyway. */
const given = new Set(
  "-n --line-number -H --with-filename --heading --no-heading --color=never -N --no-line-number".split(" "),
);
const shows: Readonly<Record<string, SearchFlags["show"]>> = {
  "-l": "files",
  "--files-with-matches": "files",
  "-c": "counts",
  "--count": "counts",
  "-o": "matches",
  "--only-matching": "matches",
};

/** Reads flags like a shell would, and lets pass only those that search. Throws a plain Error that names the other. */
export function readSearchFlags(flags: string | undefined): SearchFlags {
  const words = readWords(flags ?? "");
  const args: string[] = [];
  let show: SearchFlags["show"] = "lines";
  while (words.length > 0) {
    const word = words.shift() ?? "";
    const [name = "", attached] = split(word);
    if (shows[name] !== undefined) show = shows[name];
    else if (valued.has(name)) {
      const value = attached ?? words.shift();
      if (value === undefined) throw new Error(`The flag ${name} needs a value`);
      args.push(name.startsWith("--") ? `${name}=${value}` : name, ...(name.startsWith("--") ? [] : [value]));
    } else if (plain.has(word)) args.push(word);
    else if (/^-[a-zA-Z]{2,}$/.test(word)) words.unshift(...spread(word));
    else if (!given.has(word)) throw new Error(`The flag ${word} is not allowed in code_search`);
  }
  return { args, show };
}

/** Words with quotes and backslashes, nothing more: what a shell would expand or run is refused. */
function readWords(flags: string): string[] {
  const words: string[] = [];
  let rest = flags.trim();
  while (rest !== "") {
    const found = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;|&<>()`$])+/s.exec(rest)?.[0];
    if (found === undefined)
      throw new Error(/^['"]/.test(rest) ? "The flags have an open quote" : "The flags hold more than flags");
    words.push(
      found.replaceAll(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
        (_, raw, quoted, escaped) => raw ?? quoted?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped,
      ),
    );
    const after = rest.slice(found.length);
    if (/^['"]/.test(after)) throw new Error("The flags have an open quote");
    if (after !== "" && !/^\s/.test(after)) throw new Error("The flags hold more than flags");
    rest = after.trimStart();
  }
  return words;
}

/** `--glob=*.ts` and `-A3` carry their value with them. */
function split(word: string): [string, string | undefined] {
  const long = /^(--[a-z-]+)=(.*)$/s.exec(word);
  if (long !== null && valued.has(long[1] ?? "")) return [long[1] ?? "", long[2]];
  const short = /^(-[A-Za-z])=?(.+)$/s.exec(word);
  if (short !== null && valued.has(short[1] ?? "")) return [short[1] ?? "", short[2]];
  return [word, undefined];
}

/** `-iw` is `-i -w`. */
function spread(word: string): string[] {
  return [...word.slice(1)].map((letter) => `-${letter}`);
}
