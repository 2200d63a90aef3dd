/** True when there was somebody to receive it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended (ESRCH), or its number belongs to somebody else by now (EPERM).
    return false;
  }
}

/** Signals a process and what it started: it leads a process group of its own everywhere but on Windows. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined) sendSignal(process.platform === "win32" ? pid : -pid, signal);
}
