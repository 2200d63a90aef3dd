import type { ShellWord } from "./shell-word.ts";

interface Wrapper {
  /** Options without a value. */
  readonly plain?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Words of its own between the options and the command. */
  readonly words?: number;
}

/** Programs that run the command in their words. */
const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    plain: /^-[AbEeHiKklnPSsvV]+$/,
    valued: /^(?:-[ugChprtTDRU]|--(?:user|group|host|prompt|chdir|chroot|role|type))$/,
  },
  doas: { plain: /^-[Lns]+$/, valued: /^-[uC]$/ },
  env: { plain: /^(?:-|-[i0v]+|--ignore-environment|--null)$/, valued: /^(?:-[uC]|--(?:unset|chdir))$/ },
  nohup: {},
  nice: { plain: /^-(?:n?-?\d+)$/, valued: /^(?:-n|--adjustment)$/ },
  ionice: { plain: /^-[t]$|^-[cn]\d$/, valued: /^-[cnp]$/ },
  setsid: { plain: /^-[cfw]+$/ },
  stdbuf: { plain: /^-[ioe].+$/, valued: /^-[ioe]$/ },
  command: { plain: /^-[p]$/ },
  builtin: {},
  exec: { plain: /^-[cl]+$/, valued: /^-a$/ },
  coproc: {},
  time: { plain: /^-[pvVaq]+$/, valued: /^-[fo]$/ },
  timeout: {
    plain: /^(?:-v|--foreground|--preserve-status|--verbose)$/,
    valued: /^(?:-[ks]|--(?:kill-after|signal))$/,
    words: 1,
  },
  watch: { plain: /^-[bcdegtxw]+$|^-n\S+$/, valued: /^(?:-n|--interval)$/ },
  xargs: {
    plain: /^-[0rtpxo]+$|^-[InLPsdEa].+$|^--(?:null|no-run-if-empty|verbose)$/,
    valued: /^(?:-[aEInLPsd]|--(?:arg-file|delimiter|max-args|max-procs|max-lines|max-chars|replace))$/,
  },
  busybox: {},
  toybox: {},
  chroot: { words: 1 },
  unshare: { plain: /^-[a-zA-Z]+$/ },
  nsenter: { plain: /^-[a-zA-Z]+$/, valued: /^-t$/ },
  setpriv: { plain: /^--no-new-privs$/ },
  runuser: { valued: /^-[ugG]$/ },
  fakeroot: {},
  taskset: { plain: /^-[apc]+$/, words: 1 },
  chrt: { plain: /^-[abfior]+$/, words: 1 },
  flock: { plain: /^-[ensuxo]+$/, valued: /^-[wE]$/, words: 1 },
  strace: { plain: /^-[fqtvyc]+$/, valued: /^-[eoEpsu]$/ },
  ltrace: { plain: /^-[fS]+$/, valued: /^-[eo]$/ },
  "systemd-run": { plain: /^-[dGqSt]+$|^--(?:user|scope|pty|wait)$/, valued: /^-[pEu]$/ },
  "dbus-run-session": {},
  "xvfb-run": { plain: /^-a$/, valued: /^-[nse]$/ },
  unbuffer: { plain: /^-p$/ },
  rlwrap: {},
  npx: { plain: /^(?:-y|--yes|--no|-q|--no-install)$/, valued: /^(?:-p|--package)$/ },
  bunx: {},
  parallel: { plain: /^-(?:[0kqtux]|-bar|-dry-run)$/, valued: /^(?:-[jaNnS]|--jobs)$/ },
};

/** In front of a command, where the grammar took them for words: `coproc { rm x; }`. */
const keywords = new Set(["{", "}", "!", "if", "then", "else", "elif", "while", "until", "do"]);
const assignment = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s;

export interface Unwrapped {
  readonly words: readonly ShellWord[];
  /** The wrappers in front of it. */
  readonly through: readonly string[];
}

/** The command behind its wrappers. Where it is not sure which word is the program there is more than one answer. */
export function unwrap(words: readonly ShellWord[], through: readonly string[] = []): Unwrapped[] {
  if (through.length > 8) return [{ words, through }];
  const start = words.findIndex((word) => !assignment.test(word.text) && !keywords.has(word.text));
  if (start < 0) return [];
  const [first, ...rest] = words.slice(start);
  const name = first === undefined ? "" : programName(first);
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  const self = { words: words.slice(start), through };
  if (wrapper === undefined) return [self];
  // `coproc NAME { …` has a name of its own, `coproc rm …` has none.
  const starts = name === "coproc" ? [rest, rest.slice(1)] : wordsAfterOptions(rest, wrapper);
  const inner = starts.flatMap((after) => unwrap(after.slice(wrapper.words ?? 0), [...through, name]));
  return inner.length === 0 ? [self] : inner;
}

/** Without its directory; empty when only the shell knows it. */
export function programName(word: ShellWord): string {
  return word.sure && word.glob !== true ? (word.text.split("/").at(-1) ?? "") : "";
}

function wordsAfterOptions(words: readonly ShellWord[], wrapper: Wrapper): (readonly ShellWord[])[] {
  const answers: (readonly ShellWord[])[] = [];
  let at = 0;
  while (words[at]?.text.startsWith("-")) {
    const flag = words[at]?.text ?? "";
    at += 1;
    if (flag === "--") break;
    if (wrapper.valued?.test(flag)) at += 1;
    else if (!wrapper.plain?.test(flag) && !flag.includes("=")) answers.push(words.slice(at + 1));
  }
  answers.push(words.slice(at));
  return answers;
}
