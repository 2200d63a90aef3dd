import path from "node:path";
import type { CalledProgram } from "../bash/called-programs.ts";
import { lineOf } from "../bash/command-parts.ts";
import type { ShellWord } from "../bash/shell-word.ts";
import type { Paths } from "./command-paths.ts";

type Look = (program: CalledProgram, paths: Paths) => Promise<string | undefined> | string | undefined;

const always: Look = (program) => lineOf(program);
const withWords =
  (...patterns: RegExp[]): Look =>
  (program) => {
    const words = program.args.map((arg) => arg.text).join(" ");
    return patterns.some((pattern) => pattern.test(words)) ? lineOf(program) : undefined;
  };

const statementsThatLose = /\b(?:drop\s+(?:table|database|schema|index|view|user|role)|truncate\s|delete\s+from)/i;

/** Program → what it would do that undo cannot bring back, or undefined. One line per program; a test walks the table. */
export const dangerousPrograms: Readonly<Record<string, Look>> = {
  codebuff: withWords(
    /^(?:trust(?!.*--list)|config (?:set|unset)|permissions remove|login|logout)\b/,
    /(?:^|\s)--(?:trust|permissions[= ](?:allow|accept-edits|ask|sandboxed))\b/,
  ),
  rm: riskOfRemoval,
  rmdir: riskOfRemoval,
  unlink: riskOfRemoval,
  shred: riskOfRemoval,
  truncate: riskOfRemoval,
  mv: movesAway,
  find: findDeletes,
  cp: copiesAway,
  install: copiesAway,
  ln: copiesAway,
  tar: unpacksAway,
  unzip: (program, paths) =>
    leavesProject(program, paths, (arg) => program.args[program.args.indexOf(arg) - 1]?.text === "-d"),
  tee: (program, paths) => (hasFlag(program, /^-[a-z]*a|^--append$/) ? undefined : leavesProject(program, paths)),
  sed: (program, paths) => (hasFlag(program, /^-[a-zA-Z]*i|^--in-place/) ? leavesProject(program, paths) : undefined),
  rsync: (program, paths) => (hasFlag(program, /^--(?:delete|remove)/) ? leavesProject(program, paths) : undefined),
  chmod: changesTree,
  chown: changesTree,
  chgrp: changesTree,
  dd: ddWrites,
  mkfs: always,
  mkswap: always,
  fdisk: always,
  sfdisk: always,
  gdisk: always,
  parted: always,
  wipefs: always,
  diskutil: always,
  shutdown: always,
  reboot: always,
  halt: always,
  poweroff: always,
  init: always,
  killall: always,
  pkill: always,
  kill: withWords(/(?:^|\s)(?:--\s+)?-?1$/, /(?:^|\s)-1(?:\s|$)/),
  systemctl: withWords(/^(?:stop|disable|mask|poweroff|reboot|halt)\b/),
  crontab: withWords(/(?:^|\s)-r\b/, /^[^-\s]/),
  iptables: withWords(/(?:^|\s)(?:-F|--flush)\b/),
  userdel: always,
  passwd: always,
  git: gitLoses,
  docker: containerReaches,
  podman: containerReaches,
  helm: withWords(/^(?:uninstall|delete)\b/),
  kubectl: withWords(/^delete\b/, /^drain\b/),
  terraform: withWords(/^destroy\b/, /\s-destroy\b/, /^apply\b.*-auto-approve/),
  aws: withWords(/\b(?:rm|rb|delete-\S+|terminate-\S+)\b/),
  gcloud: withWords(/\bdelete\b/),
  gsutil: withWords(/\brm\b/),
  dropdb: always,
  psql: withWords(statementsThatLose),
  mysql: withWords(statementsThatLose),
  sqlite3: withWords(statementsThatLose),
  "redis-cli": withWords(/(?:^|\s)flush(?:all|db)\b(?!\s*$)|^flush(?:all|db)$/i),
  mongosh: withWords(/\b(?:dropDatabase|drop|deleteMany)\s*\(/),
  npm: withWords(/^(?:publish|unpublish|deprecate)\b/),
  yarn: withWords(/^(?:npm\s+)?publish\b/),
  pnpm: withWords(/^publish\b/),
  cargo: withWords(/^(?:publish|yank)\b/),
  twine: withWords(/^upload\b/),
  gem: withWords(/^(?:push|yank)\b/),
  gh: withWords(/^(?:repo|release)\s+delete\b/),
};

async function riskOfRemoval(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const recursive = hasFlag(program, /^-[a-zA-Z]*[rR]/) || hasFlag(program, /^--recursive$/);
  if (program.through.includes("xargs") && recursive) return lineOf(program);
  for (const target of operands(program)) {
    const location = await paths.at(globDirectory(target));
    if (location === undefined) {
      if (recursive) return lineOf(program);
      continue;
    }
    const wholeDirectory = target.text !== globDirectory(target).text && /(?:^|\/)(?:\.?\*+|\{.*\})$/.test(target.text);
    const isTop = !target.text.includes("*") || wholeDirectory;
    if (!location.inside || (isTop && paths.holdsProject(location)) || isGitDirectory(location.path))
      return lineOf(program);
  }
  return undefined;
}

function isGitDirectory(relative: string): boolean {
  return relative === ".git" || relative.startsWith(".git/");
}

async function movesAway(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  if (operands(program).at(-1)?.text === "/dev/null") return lineOf(program);
  for (const target of operands(program)) {
    const location = await paths.at(globDirectory(target));
    if (
      location !== undefined &&
      (!location.inside || paths.holdsProject(location) || isGitDirectory(location.path)) &&
      target !== operands(program).at(-1)
    ) {
      return lineOf(program);
    }
  }
  return undefined;
}

/** The last word is where it goes to, unless an option names the directory. */
async function copiesAway(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const named = program.args.flatMap((arg, at) => {
    if (arg.text === "-t" || arg.text === "--target-directory") return program.args[at + 1] ?? [];
    const attached = /^(?:-t|--target-directory=)(.+)$/s.exec(arg.text)?.[1];
    return attached === undefined ? [] : [{ ...arg, text: attached }];
  });
  const target = named[0] ?? operands(program).at(-1);
  if (target === undefined || (named.length === 0 && operands(program).length < 2)) return undefined;
  const location = await paths.at(globDirectory(target));
  return location !== undefined && !location.inside ? lineOf(program) : undefined;
}

async function unpacksAway(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const words = program.args.map((arg) => arg.text);
  const extracts = words.some(
    (word, at) =>
      /^--(?:extract|get)$/.test(word) || /^-[a-zA-Z]*x/.test(word) || (at === 0 && /^[a-zA-Z]*x/.test(word)),
  );
  const unsafe = words.some((word) => /^-[a-zA-Z]*P|^--absolute-names$/.test(word));
  if (extracts && unsafe) return lineOf(program);
  const targets = program.args.flatMap((arg, at) => {
    if (/^(?:-[a-zA-Z]*C|--directory)$/.test(arg.text)) return program.args[at + 1] ?? [];
    const attached = /^(?:--directory=|-C)(.+)$/s.exec(arg.text)?.[1];
    return attached === undefined ? [] : [{ ...arg, text: attached }];
  });
  const writes = extracts ? targets : archiveOf(program);
  for (const target of writes) {
    const location = await paths.at(target);
    if (location !== undefined && !location.inside) return lineOf(program);
  }
  return undefined;
}

/** The archive that `tar -cf` writes. */
function archiveOf(program: CalledProgram): ShellWord[] {
  const creates = program.args.some(
    (arg, at) =>
      /^--create$/.test(arg.text) || /^-[a-zA-Z]*c/.test(arg.text) || (at === 0 && /^[a-zA-Z]*c/.test(arg.text)),
  );
  if (!creates) return [];
  return program.args.flatMap((arg, at) => (/^-?[a-zA-Z]*f$/.test(arg.text) ? (program.args[at + 1] ?? []) : []));
}

async function findDeletes(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const deletes = program.args.some((arg) => arg.text === "-delete");
  const at = program.args.findIndex((arg) => /^-(?:exec|execdir|ok)$/.test(arg.text));
  const executes = at >= 0 && /^(?:rm|rmdir|shred|unlink|mv)$/.test(path.basename(program.args[at + 1]?.text ?? ""));
  if (!deletes && !executes) return undefined;
  const first = program.args.findIndex((arg) => /^[-!(]/.test(arg.text));
  const starts = program.args.slice(0, first < 0 ? program.args.length : first);
  // By a name it takes some of the files, which undo brings back; without one also the repository.
  const isNarrow = program.args.some(
    (arg, index) =>
      /^-i?(?:name|path|wholename|regex)$/.test(arg.text) && !/^[*.]*$/.test(program.args[index + 1]?.text ?? ""),
  );
  for (const start of starts.length === 0 ? [{ text: ".", sure: true }] : starts) {
    const location = await paths.at(globDirectory(start));
    if (location === undefined || !location.inside || isGitDirectory(location.path)) return lineOf(program);
    if (!isNarrow && paths.holdsProject(location)) return lineOf(program);
  }
  return undefined;
}

/** A container is root in what it is given of this machine. */
async function containerReaches(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const words = program.args.map((arg) => arg.text);
  const line = words.join(" ");
  if (/\bprune\b|^volume\s+rm\b|^compose\s.*\bdown\b.*\s(?:-v|--volumes)\b/.test(line)) return lineOf(program);
  if (!/^(?:container\s+)?(?:run|create)\b/.test(line)) return undefined;
  if (/\s--(?:privileged\b|(?:pid|ipc|uts|userns|network|net)[= ]host\b|cap-add|device\b)/.test(line))
    return lineOf(program);
  for (const source of mountedPaths(words)) {
    const location = await paths.at({ text: source, sure: true });
    if (location === undefined || !location.inside) return lineOf(program);
  }
  return undefined;
}

/** What of this machine `-v` and `--mount` give to a container; a name without a slash is a volume. */
function mountedPaths(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? "";
    const volume = /^(?:-v|--volume=)(.+)$/.exec(word)?.[1] ?? (/^(?:-v|--volume)$/.test(before) ? word : undefined);
    const mount = /^--mount=(.+)$/.exec(word)?.[1] ?? (before === "--mount" ? word : undefined);
    const source = volume?.split(":")[0] ?? /(?:^|,)(?:source|src)=([^,]+)/.exec(mount ?? "")?.[1];
    return source !== undefined && /^[./~$]/.test(source) ? [source] : [];
  });
}

async function changesTree(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  if (!hasFlag(program, /^-[a-zA-Z]*R|^--recursive$/)) return undefined;
  for (const target of operands(program).slice(1)) {
    const location = await paths.at(globDirectory(target));
    const isAdding = /^[ugoa]*\+[rwxX]+$/.test(operands(program)[0]?.text ?? "");
    if (location !== undefined && !isAdding && paths.holdsProject(location)) return lineOf(program);
  }
  return leavesProject(program, paths);
}

async function ddWrites(program: CalledProgram, paths: Paths): Promise<string | undefined> {
  const target = program.args.find((arg) => arg.text.startsWith("of="));
  if (target === undefined) return undefined;
  const location = await paths.at({ text: target.text.slice(3), sure: target.sure });
  return location === undefined || !location.inside || isGitDirectory(location.path) ? lineOf(program) : undefined;
}

const gitLosing: readonly RegExp[] = [
  /^push\b(?!.*\s(?:--dry-run|-n)\b).*\s(?:--force\b|--force-with-lease\b|-[a-zA-Z]*f\b|--mirror\b|--delete\b|-d\b|\+\S|:\S)/,
  /^clean\b(?=.*\s-[a-zA-Z]*f)(?=.*\s-[a-zA-Z]*[xX])/,
  /^(?:filter-branch|filter-repo)\b/,
  /^reflog\s+(?:expire|delete)\b/,
  /^gc\b.*--prune=/,
  /^update-ref\s+-d\b/,
  /^stash\s+(?:clear|drop)\b/,
  /^worktree\s+remove\b.*--force/,
  /^branch\b.*\s(?:-[a-zA-Z]*D|-[a-zA-Z]*(?:d[a-zA-Z]*f|f[a-zA-Z]*d))/,
  /^branch\b(?=.*\s(?:-d|--delete)\b)(?=.*\s(?:-f|--force)\b)/,
  /^reset\b.*\s--(?:hard|merge)\b/,
  /^(?:checkout|switch)\b.*\s(?:-[a-zA-Z]*f|--force|--discard-changes)\b/,
  /^checkout\b(?:.*\s--)?(?:\s\S+)*\s(?:\.|:\/|\*)$/,
  /^restore\b(?!(?=.*\s(?:--staged|-S)\b)(?!.*\s(?:--worktree|-W)\b)).*\s(?:\.|:\/|\*)$/,
  /^tag\b.*\s(?:-d|--delete)\b/,
  /^symbolic-ref\b.*\s(?:-d|--delete)\b/,
  /^remote\s+(?:remove|rm)\b/,
  /^submodule\s+deinit\b.*\s(?:-f|--force)\b/,
];

function gitLoses(program: CalledProgram): string | undefined {
  const words = program.args.map((arg) => arg.text);
  while (words[0]?.startsWith("-")) words.splice(0, /^-[Cc]$/.test(words[0]) ? 2 : 1);
  return gitLosing.some((pattern) => pattern.test(words.join(" "))) ? lineOf(program) : undefined;
}

async function leavesProject(
  program: CalledProgram,
  paths: Paths,
  counts: (arg: ShellWord) => boolean = (arg) => !arg.text.startsWith("-"),
): Promise<string | undefined> {
  for (const arg of program.args.filter(counts)) {
    const location = await paths.at(globDirectory(arg));
    if (location !== undefined && !location.inside) return lineOf(program);
  }
  return undefined;
}

function operands(program: CalledProgram): ShellWord[] {
  const end = program.args.findIndex((arg) => arg.text === "--");
  const before = end < 0 ? program.args : program.args.slice(0, end);
  return [...before.filter((arg) => !arg.text.startsWith("-")), ...(end < 0 ? [] : program.args.slice(end + 1))];
}

/** `src/*.tmp` lies in `src`; which of its files are meant does not matter here. */
function globDirectory(word: ShellWord): ShellWord {
  const star = word.text.search(/[*?[{]/);
  if (star < 0) return word;
  const slash = word.text.lastIndexOf("/", star);
  return { text: slash < 0 ? "." : word.text.slice(0, slash + 1), sure: word.sure };
}

function hasFlag(program: CalledProgram, flag: RegExp): boolean {
  return program.args.some((arg) => flag.test(arg.text));
}
