import { quoteForShell } from "@muster/core";

export interface ScriptOptions {
  /** Holds `<nonce>.sh` (the command), `.cd` (where to run it), `.typed` (input was sent), `.env` (what is exported). */
  directory: string;
  /** Where records go: the terminal itself, so that `exec >file` in a command cannot catch them. */
  terminal: "pty" | "pipes";
  /** The exported variables a dead shell left behind. */
  environmentFile: string | null;
  startNonce: string;
  /** The variable whose value at the start of the shell every command finds again. */
  variable: string;
}

/** File number of the record channel over pipes; out of the way of the numbers people use. */
const recordFile = 199;

/**
 * What the shell reads at its start. Works with bash 3.2 (macOS) and up.
 * The end record is printed by the prompt hook, because the rest of an interrupted line is never run; the line itself
 * also calls it, because a command may remove the hook. One that cannot be put back, because PROMPT_COMMAND was made
 * read-only, is told in the end record: such a shell has to be replaced.
 */
export function startScript(options: ScriptOptions): string {
  const { variable } = options;
  const to = options.terminal === "pty" ? ">/dev/tty" : `>&${recordFile}`;
  const from = options.terminal === "pty" ? "</dev/tty" : "<&0";
  const closed = options.terminal === "pty" ? "" : ` ${recordFile}>&-`;
  return `${options.terminal === "pty" ? "stty -echo 2>/dev/null" : `exec 2>&1 ${recordFile}>&1`}
PS1= PS2= PS4='+ '
unset HISTFILE MAILCHECK TMOUT PROMPT_COMMAND 2>/dev/null
set +o history +H
readonly __terminal_files=${quoteForShell(options.directory)} __terminal_owner=$${variable} __terminal_start=$PWD
${options.environmentFile === null ? "" : `. ${quoteForShell(options.environmentFile)} >/dev/null 2>&1`}
PWD=$__terminal_start
export ${variable}=$__terminal_owner
__terminal_install() {
  [[ \${PROMPT_COMMAND-} == "$__terminal_hook" ]] && return 0
  unset PROMPT_COMMAND || return 1
  PROMPT_COMMAND=$__terminal_hook
} 2>/dev/null
__terminal_begin() {
  local before=$2 target=
  __terminal_install
  __terminal_nonce=$1 __terminal_back= __terminal_at= __terminal_old=\${OLDPWD-}
  export -n PROMPT_COMMAND __terminal_nonce __terminal_back __terminal_old __terminal_at
  export ${variable}=$__terminal_owner
  if [[ -f $__terminal_files/$1.cd ]]; then
    IFS= read -r -d '' target <"$__terminal_files/$1.cd"
    __terminal_back=$PWD
    builtin cd -- "$target" && __terminal_at=$PWD
  fi
  builtin printf '\\033]777;b;%s\\a' "$1" ${to}
  [[ $- == *e* ]] && return 0
  return $before
}
__terminal_end() {
  local status=$? place= character= encoded= at spoiled=
  [[ -n \${__terminal_nonce-} ]] || return $status
  if ((status > 128)); then command stty sane -echo </dev/tty; fi 2>/dev/null
  if [[ -n $__terminal_back && $PWD == "$__terminal_at" ]]; then
    builtin cd -- "$__terminal_back" && OLDPWD=$__terminal_old
  fi 2>/dev/null
  if [[ -f $__terminal_files/$__terminal_nonce.typed ]]; then
    while IFS= read -r -s -d '' -t 0.05 -n 65536 character; do :; done ${from}
  fi 2>/dev/null
  export -n PROMPT_COMMAND
  __terminal_install || spoiled=';r'
  export -p >|"$__terminal_files/$__terminal_nonce.env" || :
  if [[ -n $spoiled ]]; then { declare -f; alias -p; } >>"$__terminal_files/$__terminal_nonce.env"; fi
  local LC_ALL=C
  place=\${PWD//%/%25}
  place=\${place//;/%3B}
  if [[ $place == *[[:cntrl:]]* ]]; then
    for ((at = 0; at < \${#place}; at++)); do
      character=\${place:at:1}
      [[ $character == [[:cntrl:]] ]] && builtin printf -v character '%%%02X' "'$character"
      encoded+=$character
    done
    place=$encoded
  fi
  builtin printf '\\033]777;e;%s;%s;%s%s\\a' "$__terminal_nonce" "$status" "$place" "$spoiled" ${to}
  __terminal_nonce= PS1=
  return $status
}
readonly -f __terminal_install __terminal_begin __terminal_end
readonly __terminal_without_input=${quoteForShell(afterBegin(` </dev/null${closed}`))} __terminal_with_input=${quoteForShell(afterBegin(closed))}
readonly __terminal_hook='{ __terminal_end; } >/dev/null 2>&1'
PROMPT_COMMAND=$__terminal_hook __terminal_nonce=${options.startNonce} __terminal_back=
`;
}

/**
 * The one line typed per command. It is short because bash reads a terminal byte by byte; the backslashes keep aliases
 * out; it is no function because a command sourced in one could not declare global variables.
 */
export function commandLine(nonce: string, stdin: "none" | "terminal"): string {
  const rest = stdin === "none" ? "__terminal_without_input" : "__terminal_with_input";
  return ` \\eval "\\trap - DEBUG;\\__terminal_begin ${nonce} $? 2>/dev/null;$${rest}"\n`;
}

/**
 * Sources the command and prints its end record; the braces keep `set -x` and a DEBUG trap silent about the latter. A
 * DEBUG trap ends with the command that set it: kept, it would speak of lines that nobody has written.
 */
function afterBegin(redirections: string): string {
  return `\\. "$__terminal_files/$__terminal_nonce.sh"${redirections}; { \\__terminal_end; } >/dev/null 2>&1`;
}
