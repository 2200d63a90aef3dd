/**
 * Runs the task in one tab at a time, the next one when that ends. A browser opens six connections to one daemon, all its
 * tabs together, so that a stream every tab wants alike is held by one of them. Where there are no locks, which is on
 * pages without encryption from another machine, each tab is by itself.
 */
export async function inOneTab(name: string, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) await task();
  else await navigator.locks.request(name, { signal }, task);
}
