import type { CalledProgram } from "../bash/called-programs.ts";
import { lineOf } from "../bash/command-parts.ts";
import type { CommandRisk } from "./command-risks.ts";

/**
 * A program that no rule for what begins with some words covers: it destroys, it leaves the project, it speaks to others, or
 * its words are code.
 */
export function isBeyondPrefix(program: CalledProgram, risks: readonly CommandRisk[]): boolean {
  return (
    carriesCode(program) ||
    destroys(program) ||
    risks.some(({ part, here }) => here === true || part === lineOf(program))
  );
}

const interpreters = /^(?:(?:ba|z|da|k|a|fi)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|perl|ruby|php)$/;
const code = /^(?:-[a-zA-Z]*[ceEpr]|eval|repl|-)$|^--(?:eval|print|require|import|command)(?:=|$)/;

/** Words that say what is run themselves. */
function carriesCode({ name, args, command }: CalledProgram): boolean {
  if (/^(?:eval|exec|source|\.|xargs|env|find|fd|trap|alias|parallel|watch|script)$/.test(name)) return true;
  if (interpreters.test(name))
    return args.length === 0 || args.some((arg) => code.test(arg.text)) || command.stdin !== undefined;
  return changesWhatRuns.test(` ${args.map((arg) => arg.text).join(" ")} `);
}

/** Options by which a known program is told to run another one, or to work elsewhere. */
const changesWhatRuns =
  /\s(?:-c|-C|--config(?:-\w+)?|--exec|--exec-path|--upload-pack|--receive-pack|--script-shell|--shell|--prefix|--cwd|--dir|--directory|--rootdir|--globalconfig|--userconfig|--node-options|--ssh-command|--git-dir|--work-tree|-x|--ext-?cmd|--checkpoint-action|--to-command|--use-compress-program|--rsh)[=\s]/;

/** What is lost inside of the project is lost too: undo knows only files that git would keep. */
function destroys({ name, args }: CalledProgram): boolean {
  if (
    /^(?:rm|rmdir|unlink|shred|truncate|dd|mv|install|rsync|ln|chmod|chown|chgrp|kill|killall|pkill|mkfs\S*|crontab|codebuff)$/.test(
      name,
    )
  )
    return true;
  const line = args.map((arg) => arg.text).join(" ");
  const words = Object.hasOwn(destroyingWords, name) ? destroyingWords[name] : undefined;
  return words?.test(line) === true;
}

/** Program → the words with which it destroys or publishes. */
const destroyingWords: Readonly<Record<string, RegExp>> = {
  git: /(?:^|\s)(?:reset|clean|restore|clone|fetch|pull|ls-remote|archive|checkout|switch|rebase|filter-branch|filter-repo|push|gc|prune|reflog|update-ref|rm|mv|config|submodule|remote)(?:\s|$)|(?:^|\s)(?:branch|tag|worktree|stash)\s.*(?:-[a-zA-Z]*[dDfM]|--(?:delete|force)|drop|clear|remove|prune)/,
  npm: publishes(),
  pnpm: publishes(),
  yarn: publishes(),
  bun: publishes(),
  cargo: /^(?:publish|yank|owner|login|clean)/,
  gem: /^(?:push|yank)/,
  twine: /^upload/,
  docker: /(?:^|\s)(?:rm|rmi|prune|kill|stop|down|push)(?:\s|$)/,
  podman: /(?:^|\s)(?:rm|rmi|prune|kill|stop|down|push)(?:\s|$)/,
  kubectl: /(?:^|\s)(?:delete|drain|apply|replace|scale|exec)(?:\s|$)/,
  terraform: /(?:^|\s)(?:apply|destroy|import|taint|state)(?:\s|$)/,
  sed: /(?:^|\s)(?:-[a-zA-Z]*i|--in-place)/,
  tar: /(?:^|\s)(?:-?[a-zA-Z]*x|--(?:extract|delete|remove-files))/,
};

function publishes(): RegExp {
  return /^(?:publish|unpublish|deprecate|dist-tag|owner|access|token|login|config|set|prune|exec|x|dlx|link)(?:\s|$)/;
}
