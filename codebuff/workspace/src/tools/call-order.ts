/**
 * What a call stands on. Paths are real paths. `look` without paths looks at the whole tree; a command may touch anything,
 * but commands of different sessions go side by side; `free` touches nothing that others touch.
 */
export type Claim =
  | { readonly kind: "edit"; readonly paths: ReadonlySet<string> }
  | { readonly kind: "look"; readonly paths?: ReadonlySet<string> }
  | { readonly kind: "propose"; readonly paths: ReadonlySet<string> }
  | { readonly kind: "command"; readonly session: string }
  | { readonly kind: "free" };

/**
 * Lets calls run side by side as long as nothing they collide with is before them. A call waits for earlier calls, never
 * for later ones, so no two calls can wait for each other.
 */
export class CallOrder {
  readonly #earlier = new Map<Promise<unknown>, Claim>();
  readonly #collide: (a: Claim, b: Claim) => boolean;

  /** `inOneAgent` or `amongAgents`. */
  constructor(collide: (a: Claim, b: Claim) => boolean) {
    this.#collide = collide;
  }

  /** Must be called in call order; `work` starts when nothing earlier stands in its way. */
  run<Result>(claim: Claim, work: () => Promise<Result>): Promise<Result> {
    const before = [...this.#earlier].filter(([, other]) => this.#collide(other, claim)).map(([done]) => done);
    const result = Promise.allSettled(before).then(work);
    this.#earlier.set(result, claim);
    const forget = () => void this.#earlier.delete(result);
    result.then(forget, forget);
    return result;
  }
}

/** The calls of one agent end up as if they had run one after the other. */
export function inOneAgent(a: Claim, b: Claim): boolean {
  if (a.kind === "free" || b.kind === "free") return false;
  if (a.kind === "command" && b.kind === "command") return a.session === b.session;
  if (a.kind === "command" || b.kind === "command") return true;
  if (a.kind === "look" && b.kind === "look") return false;
  if (onlyLooks(a) && onlyLooks(b) && a.kind !== b.kind) return false;
  return overlap(a.paths, b.paths);
}

/** Agents and runs know nothing of each other: only two edits of one path may not meet. Reading sees whole files. */
export function amongAgents(a: Claim, b: Claim): boolean {
  return a.kind === "edit" && b.kind === "edit" && overlap(a.paths, b.paths);
}

/** Both leave the disk as it is. */
function onlyLooks(claim: Claim): boolean {
  return claim.kind === "look" || claim.kind === "propose";
}

function overlap(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  return [...a].some((one) => b.has(one));
}
