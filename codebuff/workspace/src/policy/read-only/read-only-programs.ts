import type { ShellWord } from "../bash/shell-word.ts";
import { type ExactOptions, fitsOptions } from "./exact-options.ts";
import { gitOnlyReads } from "./read-only-git.ts";

export type Check = (args: readonly ShellWord[]) => boolean;

const exact =
  (options: ExactOptions): Check =>
  (args) =>
    fitsOptions(args, options);
const atMost =
  (count: number) =>
  (words: readonly string[]): boolean =>
    words.length <= count;
const plainName = /^[a-z_][a-z0-9_]*$/;

/**
 * Programs without any option that writes, runs or sets something. Only for these may a word be unknown: whatever it
 * turns out to be, it does no harm.
 */
const harmless = new Set(
  "cat head tail ls wc nl cut tr rev tac fold fmt expand unexpand paste join comm cmp od hexdump strings echo basename dirname realpath readlink stat du df md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum grep egrep fgrep seq expr factor true false : whoami id groups logname uptime free nproc lscpu lsblk arch uname tty pwd which pstree sleep zcat column diff getconf locale".split(
    " ",
  ),
);

/** sed scripts that print, delete or substitute in the output and nothing else. */
const sedScript =
  /^(?:(?:\d+|\$|\/(?:[^/\\\n]|\\[^\n])*\/)(?:,(?:\d+|\$|\+\d+|\/(?:[^/\\\n]|\\[^\n])*\/))?!?)?(?:[pd=q]|s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gIip\d]*)?$/;

const sed: Check = (args) => {
  if (!args.every((arg) => arg.sure && (arg.glob !== true || /^[\w./]/.test(arg.text)))) return false;
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (text === "-e" || text === "--expression") {
      at += 1;
      scripts.push(args[at]?.text ?? "");
    } else if (/^(?:-[nErsz]+|--quiet|--silent|--regexp-extended|--null-data|--sandbox)$/.test(text)) continue;
    else if (text.startsWith("-")) return false;
    else operands.push(text);
  }
  if (scripts.length === 0) scripts.push(operands.shift() ?? "");
  return scripts.every((script) => script !== "" && script.split(/;\s*/).every((one) => sedScript.test(one.trim())));
};

const findAlone =
  /^-(?:empty|not|o|or|a|and|print|print0|ls|prune|nouser|nogroup|follow|depth|d|daystart|xdev|mount|readable|writable|executable|true|false|quit|[LHP])$/;
const findValued =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|i?lname|x?type|maxdepth|mindepth|size|[acm]time|[acm]min|newer|anewer|cnewer|newer[aBcm][aBcmt]|printf|perm|user|group|uid|gid|links|inum|samefile)$/;

const find: Check = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined || !word.sure || (word.glob === true && !/^[\w./]/.test(word.text))) return false;
    if (findValued.test(word.text)) {
      at += 1;
      if (args[at]?.sure !== true || args[at]?.glob === true) return false;
    } else if (word.text.startsWith("-") && !findAlone.test(word.text)) return false;
  }
  return true;
};

/** Its own options, then a program that no word can make write. */
const xargs: Check = (args) => {
  let at = 0;
  for (; args[at]?.text.startsWith("-"); at += 1) {
    const text = args[at]?.text ?? "";
    if (/^-[nLIPd]$/.test(text)) at += 1;
    else if (!/^-(?:[0rtx]+|[nLP]\d+|I\S+|d.+)$|^--(?:null|no-run-if-empty)$/.test(text)) return false;
  }
  return args[at]?.sure === true && harmless.has(args[at]?.text ?? "");
};

const testOperator = /^(?:-[b-np-uw-zA-QS-Z]|=|==|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/**
 * `-v` and `-R` run the substitutions in a name. A word only the shell knows may turn into one of them, so it has to be a
 * single word and stand where an operator wants its value.
 */
const test: Check = (args) =>
  args.every((arg, at) => {
    if (arg.sure) return !/^-[vR]$|^\w+\[/.test(arg.text);
    const before = args[at - 1];
    return arg.splits !== true && before?.sure === true && testOperator.test(before.text);
  });

/** `[[ a -eq b ]]` evaluates its words as arithmetic, and arithmetic runs substitutions. */
const doubleBracket: Check = (args) => args.every((arg) => !/^-(?:v|R|eq|ne|lt|le|gt|ge)$/.test(arg.text));

/** `env` and `$ENV` are the environment; a filter in a file may use them too. */
const jq: Check = (args) =>
  args.every((arg) => arg.sure && !/\benv\b|\$ENV|^-[a-zA-Z]*[fL]|^--from-file|^--library/.test(arg.text));

/** An `e` among the options without a dash shows the environment of every process. */
const ps: Check = (args) =>
  args.every(
    (arg, at) =>
      arg.sure &&
      (arg.text.startsWith("-") || /^-[a-zA-Z]*[opuUgGtCsqO]$/.test(args[at - 1]?.text ?? "") || !/e/i.test(arg.text)),
  );

/** Programs that only look, and how they must be called for that. What is not here counts as writing. */
const readers: Readonly<Record<string, Check>> = {
  git: gitOnlyReads,
  sed,
  "[": test,
  test,
  "[[": doubleBracket,
  exit: (args) => args.length <= 1 && args.every((arg) => arg.sure && /^\d+$/.test(arg.text)),
  cd: (args) => args.length <= 1 && args.every((arg) => arg.sure && !/^-./.test(arg.text)),
  // `%n` sets the variable that is named, PATH for one.
  printf: ([first]) => first?.sure === true && !/^-|%[-+ #'0-9.*hjlLtzq]*n/.test(first.text),
  read: (args) => args.every((arg) => arg.sure && (arg.text === "-r" || plainName.test(arg.text))),
  command: (args) => /^-[vV]$/.test(args[0]?.text ?? "") && args.slice(1).every((arg) => arg.sure),
  type: exact({ flags: "apPtf" }),
  hostname: exact({ flags: "fsiIdA", operands: atMost(0) }),
  date: exact({
    flags: "uR",
    valued: "dr",
    long: "--date= --utc --universal --iso-8601[=] --rfc-3339= --rfc-email --reference=",
    words: /^-I(?:date|hours|minutes|seconds|ns)?$/,
    operands: (words) => words.every((word) => word.startsWith("+")) && words.length <= 1,
  }),
  // Elsewhere than on Linux `-o` names a file to write.
  base64: exact({ flags: "dDi", valued: "w", long: "--decode --ignore-garbage --wrap=" }),
  base32: exact({ flags: "di", valued: "w", long: "--decode --ignore-garbage --wrap=" }),
  cal: exact({ flags: "13jmsy" }),
  sort: exact({
    flags: "bdfghinRrVMcCmsuz",
    valued: "kt",
    long: "--reverse --unique --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --month-sort --ignore-case --ignore-leading-blanks --dictionary-order --key= --field-separator= --stable --zero-terminated --check[=]",
  }),
  uniq: exact({
    flags: "cdDuiz",
    valued: "fsw",
    long: "--count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars=",
    operands: atMost(1),
  }),
  // It joins no letters: `-ac` is `-a`, and the next word is a file.
  xxd: exact({ words: /^-[abeEipruU]$/, valued: "clgos", operands: atMost(1) }),
  file: exact({
    flags: "bihkLNrsvz0",
    valued: "F",
    long: "--brief --mime --mime-type --mime-encoding --dereference --keep-going --raw",
  }),
  tree: exact({
    flags: "adfilpsughDFqNQrtUcSCnxvJX",
    valued: "LPI",
    long: "--dirsfirst --filesfirst --noreport --prune --gitignore --du --si --inodes --device --ignore-case --charset= --timefmt= --sort[=] --filelimit=",
  }),
  rg: exact({
    flags: "iSswxFvUPlLcoNnHIhuabp0.",
    valued: "ABCegtTmdfr",
    long: "--ignore-case --smart-case --case-sensitive --word-regexp --line-regexp --fixed-strings --invert-match --multiline --multiline-dotall --pcre2 --hidden --no-ignore --no-ignore-vcs --crlf --files --files-with-matches --files-without-match --count --count-matches --only-matching --line-number --no-line-number --with-filename --no-filename --heading --no-heading --color= --column --after-context= --before-context= --context= --glob= --iglob= --type= --type-not= --type-list --max-count= --max-depth= --max-filesize= --max-columns= --regexp= --replace= --sort= --sortr= --stats --trim --vimgrep --json --text --unrestricted --no-messages --passthru --null --one-file-system --no-config",
  }),
  find,
  xargs,
  jq,
  ps,
};

/** Only these may be asked for their version: the program is a well-known one, not a file of the project. */
const versioned =
  /^(?:node|python3?|ruby|perl|php|gcc|g\+\+|clang|cc|make|cmake|java|javac|rustc|cargo|deno|bun|bash|zsh|git|jq|rg|tar|gzip|curl|openssl|sqlite3|psql)$/;

/** The check of a program; undefined when it is not known to look only. */
export function readOnlyCheck(name: string): Check | undefined {
  if (Object.hasOwn(readers, name)) return readers[name];
  if (harmless.has(name)) return () => true;
  if (name === "go") return (args) => args.length === 1 && args[0]?.text === "version";
  return versioned.test(name) ? (args) => args.length === 1 && args[0]?.text === "--version" : undefined;
}
