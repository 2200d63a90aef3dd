import { type CalledProgram, readCommand } from "./called-programs.ts";

type Check = (args: readonly string[]) => boolean;

const any: Check = () => true;
const without =
  (...flags: RegExp[]): Check =>
  (args) =>
    !args.some((arg) => flags.some((flag) => flag.test(arg)));
const gitReads: Check = (args) => {
  const [verb, ...rest] = args;
  const options = rest.filter((arg) => !arg.startsWith("-"));
  if (rest.some((arg) => /^(?:--output(?:=|$)|-O|--open-files-in-pager|--ext-diff|--textconv)/.test(arg))) return false;
  if (
    /^(?:log|status|diff|show|blame|ls-files|ls-tree|rev-parse|rev-list|describe|grep|shortlog|cat-file|merge-base|name-rev)$/.test(
      verb ?? "",
    )
  ) {
    return true;
  }
  if (verb === "branch" || verb === "tag")
    return options.length === 0 && !rest.some((arg) => /^-[dDmMcCfu]|^--(?:delete|move|edit)/.test(arg));
  if (verb === "remote") return rest.length === 0 || rest[0] === "-v" || rest[0] === "show" || rest[0] === "get-url";
  if (verb === "stash") return rest[0] === "list" || rest[0] === "show";
  return verb === "config" && rest.some((arg) => /^--(?:get|list|get-all|get-regexp)$|^-l$/.test(arg));
};

/** Programs that only look, and how they must be called for that. What is not here counts as writing. */
const readers: Readonly<Record<string, Check>> = {
  cat: any,
  head: any,
  tail: any,
  ls: any,
  pwd: any,
  cd: any,
  echo: any,
  printf: any,
  true: any,
  false: any,
  test: any,
  "[": any,
  wc: any,
  nl: any,
  cut: any,
  tr: any,
  uniq: (args) => args.filter((arg) => !arg.startsWith("-")).length <= 1,
  comm: any,
  cmp: any,
  diff: without(/^--output/),
  stat: any,
  du: any,
  df: any,
  basename: any,
  dirname: any,
  realpath: any,
  readlink: any,
  which: any,
  type: any,
  whoami: any,
  id: any,
  uname: any,
  md5sum: any,
  sha256sum: any,
  jq: any,
  file: without(/^-C/, /^--compile/),
  date: without(/^-s/, /^--set/),
  tree: without(/^-o/),
  sort: without(/^-[a-zA-Z]*o/, /^--output/, /^--compress-program/),
  grep: any,
  egrep: any,
  fgrep: any,
  rg: without(/^--pre/, /^--hostname-bin/),
  find: without(/^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/),
  sed: (args) => args[0] === "-n" && /^\d+(?:,(?:\d+|\$))?p$/.test(args[1] ?? "") && without(/^-.*i/)(args.slice(1)),
  git: gitReads,
};

/** True only when every program in the command is known to look and not to touch. */
export function onlyReads(text: string): boolean {
  const { programs, commands, complete } = readCommand(text);
  if (!complete || programs.length === 0) return false;
  const writes = commands.some((command) =>
    command.redirects.some(({ operator, target }) => isWrite(operator, target.text)),
  );
  return !writes && programs.every(looksOnly);
}

function looksOnly(program: CalledProgram): boolean {
  const args = program.args.map((arg) => arg.text);
  if (program.through.length > 0) return false;
  if (args.length === 1 && args[0] === "--version" && program.name !== "") return true;
  const check = Object.hasOwn(readers, program.name) ? readers[program.name] : undefined;
  return check?.(args) ?? false;
}

function isWrite(operator: string, target: string): boolean {
  if (!operator.includes(">")) return false;
  return !(target === "/dev/null" || (operator === ">&" && /^(?:\d|-)$/.test(target)));
}
