/** Ends a process and what it started; it leads a group of its own everywhere but on Windows. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // The group is already gone.
  }
}
