/** More than this is told as a new list, which costs the provider's cache once. */
const mostNames = 200;

interface KnownTree {
  readonly tree: readonly string[];
  /** What the model was told beside it, by name: `+ src/new.ts`, `- src/old.ts`. */
  readonly told: ReadonlySet<string>;
}

/**
 * The file list a conversation began with. It stands in the system prompt, so a list that changes with every file would cost
 * the cache of the whole history at every prompt: it stays as it was, and what has changed is told beside the prompt.
 */
export class KnownTrees {
  readonly #known = new Map<string, KnownTree>();

  /** `earlier` is the list an earlier run of the conversation worked with. */
  settle(
    sessionId: string,
    fresh: readonly string[],
    earlier: readonly string[] | undefined,
  ): { tree: string[]; changes: string[] } {
    const known = this.#known.get(sessionId) ?? (earlier && { tree: earlier, told: new Set<string>() });
    const differences = known === undefined ? [] : differencesOf(known.tree, fresh);
    if (known === undefined || differences.length > mostNames) {
      this.#known.set(sessionId, { tree: fresh, told: new Set() });
      return { tree: [...fresh], changes: [] };
    }
    this.#known.set(sessionId, { tree: known.tree, told: new Set(differences) });
    const changes = differences.filter((one) => !known.told.has(one));
    // What was told and is no longer so: the file that came has gone, or the other way round.
    const undone = [...known.told].filter((one) => !differences.includes(one)).map(turned);
    return { tree: [...known.tree], changes: [...changes, ...undone].sort() };
  }
}

function differencesOf(before: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(now)];
  return [
    ...now.filter((one) => !had.has(one)).map((one) => `+ ${one}`),
    ...before.filter((one) => !has.has(one)).map((one) => `- ${one}`),
  ];
}

function turned(difference: string): string {
  return `${difference.startsWith("+") ? "-" : "+"}${difference.slice(1)}`;
}
