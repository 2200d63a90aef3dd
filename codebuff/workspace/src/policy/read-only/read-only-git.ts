import type { ShellWord } from "../bash/shell-word.ts";
import { type ExactOptions, fitsOptions } from "./exact-options.ts";

const revisions =
  "--all --branches[=] --tags[=] --remotes[=] --since= --until= --after= --before= --author= --committer= --grep= --max-count= --skip= --no-merges --merges --first-parent --reverse --topo-order --date-order --author-date-order --follow --left-right --cherry-pick --simplify-by-decoration --ancestry-path --not --invert-grep --all-match --regexp-ignore-case --extended-regexp --fixed-strings --boundary --count --objects";
const patches =
  "--stat[=] --shortstat --numstat --dirstat[=] --name-only --name-status --summary --raw --patch --patch-with-stat --no-patch --unified= --color[=] --no-color --color-words[=] --word-diff[=] --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --diff-filter= --no-ext-diff --no-textconv --minimal --patience --histogram --diff-algorithm= --find-renames[=] --find-copies[=] --no-renames --check --exit-code --quiet --cached --staged --merge-base --full-index --abbrev[=] --binary --text --function-context --inter-hunk-context= --no-prefix --relative[=] --compact-summary --cc --pickaxe-all --pickaxe-regex --no-index";
const formats =
  "--oneline --graph --decorate[=] --no-decorate --abbrev-commit --no-abbrev-commit --format= --pretty[=] --date= --notes[=] --no-notes --source --parents --children --clear-decorations --decorate-refs= --relative-date";
const history: ExactOptions = {
  flags: "pqswbzMCBRcgimEFWt",
  valued: "nSGUL",
  long: `${revisions} ${patches} ${formats}`,
  words: /^-\d+$/,
};
const nothing: ExactOptions = { operands: (words) => words.length === 0 };

/** git's verbs that only look, with the options with which they do. */
const verbs: Readonly<Record<string, ExactOptions>> = {
  log: history,
  show: history,
  diff: history,
  whatchanged: history,
  reflog: { ...history, operands: (words) => !/^(?:expire|delete|drop|write)$/.test(words[0] ?? "") },
  shortlog: { flags: "nsec", long: `${revisions} --numbered --summary --email --group= --format=`, words: /^-\d+$/ },
  status: {
    flags: "sbvzu",
    long: "--short --branch --porcelain[=] --long --verbose --untracked-files[=] --ignored[=] --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column[=]",
    words: /^-u(?:no|normal|all)$/,
  },
  blame: {
    flags: "bcefhlnpstwCM",
    valued: "L",
    long: "--porcelain --line-porcelain --incremental --root --show-email --show-name --show-number --since= --date= --abbrev= --reverse --first-parent",
  },
  "ls-files": {
    flags: "cdmoiuktvzs",
    valued: "xX",
    long: "--cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --exclude= --error-unmatch --full-name --directory --no-empty-directory --eol --deduplicate --abbrev[=] --format=",
  },
  "ls-tree": {
    flags: "drtlz",
    long: "--name-only --name-status --long --full-name --full-tree --object-only --abbrev[=] --format=",
  },
  "rev-parse": {
    flags: "q",
    long: "--verify --quiet --short[=] --abbrev-ref[=] --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --all --branches[=] --tags[=] --remotes[=] --revs-only --no-revs --show-superproject-working-tree --path-format= --git-path=",
  },
  "rev-list": { ...history, long: `${revisions} ${formats} --disk-usage --quiet --use-bitmap-index --missing=` },
  describe: {
    long: "--tags --all --long --always --abbrev= --exact-match --match= --exclude= --contains --first-parent --candidates=",
  },
  grep: {
    flags: "niwvhHlLcopPEFGIarzq",
    valued: "ABCem",
    long: "--line-number --ignore-case --word-regexp --invert-match --files-with-matches --name-only --files-without-match --count --only-matching --perl-regexp --extended-regexp --fixed-strings --cached --untracked --no-index --max-depth= --show-function --function-context --after-context= --before-context= --context= --color[=] --no-color --heading --break --column --and --or --not --all-match --max-count= --full-name --text",
  },
  "cat-file": { flags: "tspe", operands: (words) => words.length <= 2 },
  "merge-base": { flags: "a", long: "--all --octopus --independent --is-ancestor --fork-point" },
  "name-rev": { long: "--tags --refs= --exclude= --all --name-only --always --no-undefined" },
  "show-ref": {
    flags: "dsq",
    long: "--heads --branches --tags --hash[=] --abbrev[=] --dereference --verify --quiet --head",
  },
  "for-each-ref": {
    long: "--count= --sort= --format= --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --ignore-case",
  },
  "count-objects": { flags: "vH", long: "--verbose --human-readable" },
  "diff-tree": {
    ...history,
    flags: `${history.flags}rtv`,
    long: `${patches} ${formats} --root --stdin --no-commit-id`,
  },
  "check-ignore": { flags: "qvn", long: "--quiet --verbose --non-matching --no-index" },
  "check-attr": { flags: "a", long: "--all --cached" },
  cherry: { flags: "v" },
  "range-diff": { ...history, long: `${patches} --creation-factor=` },
  branch: {
    flags: "arvlq",
    long: "--all --remotes --list --verbose --show-current --no-color --color[=] --column[=] --no-column --sort= --format= --abbrev= --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --ignore-case",
  },
  tag: {
    flags: "l",
    long: "--list --sort= --format= --contains[=] --merged[=] --points-at= --column[=] --color[=]",
    words: /^-n\d*$/,
  },
  remote: {
    flags: "v",
    long: "--verbose --all --push",
    operands: (words) => words.length === 0 || (words[0] === "get-url" && words.length === 2),
  },
  // The first word says which: an option there makes a new stash.
  stash: history,
  worktree: {
    flags: "vz",
    long: "--porcelain --verbose",
    operands: (words) => words.length === 1 && words[0] === "list",
  },
  config: {
    flags: "lz",
    valued: "",
    long: "--get --get-all --get-regexp --get-urlmatch --list --null --name-only --show-origin --show-scope --local --global --system --worktree --type= --bool --int --default=",
  },
  version: nothing,
};

/** Options before the verb. `-c` and `--exec-path` would let the caller choose what git runs. */
export function gitOnlyReads(args: readonly ShellWord[]): boolean {
  let at = 0;
  while (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|-C)$/.test(args[at]?.text ?? "")) {
    if (args[at]?.text === "-C") at += 1;
    if (args[at]?.sure !== true || args[at]?.glob === true) return false;
    at += 1;
  }
  const verb = args[at];
  if (verb === undefined || !verb.sure) return false;
  const rest = args.slice(at + 1);
  if (verb.text === "--version") return rest.length === 0;
  const options = Object.hasOwn(verbs, verb.text) ? verbs[verb.text] : undefined;
  if (options === undefined || !fitsOptions(rest, options)) return false;
  // Asked about signatures git runs gpg, which writes its own files.
  if (rest.some((arg) => /%[-+ ]?G|%\(\*?signature/.test(arg.text))) return false;
  if (verb.text === "stash") return /^(?:list|show)$/.test(rest[0]?.text ?? "");
  // Its options end at the first word that is none: after it `--list` is a value to set.
  if (verb.text === "config")
    return /^(?:-l|--list|--get(?:-all|-regexp|-urlmatch)?)$/.test(
      rest.find((arg) => !configOptions.test(arg.text))?.text ?? "",
    );
  if (verb.text === "branch" || verb.text === "tag") {
    const own = rest.filter((_, index) => !/^--(?:sort|format|abbrev|points-at)$/.test(rest[index - 1]?.text ?? ""));
    if (own.some((arg) => arg.text === "--")) return false;
    return own.every((arg) => arg.text.startsWith("-")) || own.some((arg) => listing.test(arg.text));
  }
  return true;
}

const configOptions =
  /^(?:-z|--(?:local|global|system|worktree|null|name-only|show-origin|show-scope|bool|int|(?:type|default)=.*))$/;

/** With one of these a name is a pattern to list by; without, it would be made. */
const listing = /^--(?:list|contains|no-contains|merged|no-merged)(?:=|$)/;
