/** home → the first start in it by this daemon. */
const firstStarts = new Map<string, Promise<unknown>>();

/**
 * Codex makes its database at its first start in a home, and two that do it at once fail each other (0.166.0): the others
 * wait until one has started.
 */
export async function afterFirstStart<T>(home: string, start: () => Promise<T>): Promise<T> {
  for (;;) {
    const first = firstStarts.get(home);
    if (first === undefined) break;
    // Should it fail, the next one is the first.
    if (await first.then(...hasStarted)) return await start();
  }
  const starting = start();
  firstStarts.set(home, starting);
  return await starting.catch((error: unknown) => {
    firstStarts.delete(home);
    throw error;
  });
}

const hasStarted = [() => true, () => false] as const;
