/**
 * Programs of the system, looked for nowhere else: a session's PATH, or one of the project's own directories in ours, must
 * not choose what confines a command.
 */
export const systemPath = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin", "/usr/local/bin"];

/**
 * The bash text that starts a program by its path, past everything the session's shell has learned: in POSIX mode `exec`
 * is found before any function of that name, a backslash keeps aliases away, and what it starts is not looked up.
 */
export function startPastSession(words: string): string {
  return `( POSIXLY_CORRECT=1 && \\exec ${words} )`;
}

/** The same without a terminal to type into; what it prints goes through a pipe, and its exit code stays. */
export function startDetached(words: string): string {
  return `( POSIXLY_CORRECT=1 && \\set -o pipefail && ( \\exec ${words} ) </dev/null 2>&1 | \\exec /bin/cat )`;
}
