import { setImmediate } from "node:timers/promises";
import type { Snapshot } from "fuzzysort";
import type { ChatFace } from "../chat/chat-face.ts";

/** A list older than this is read again, in the background. */
const freshMs = 10_000;
const most = 40;
/** After the files: their names are few and are mostly typed whole. */
const mostAgents = 10;

/** A path or an agent's name. */
export interface FoundTarget {
  readonly target: string;
  readonly help: string;
}

/** So many targets are made ready for the search in one go; more would hold up a key. */
const slice = 2_000;

type Search = (typed: string, targets: readonly Snapshot[], limit: number) => readonly string[];

/** Files, directories and agents for `@`, by a few of their letters. What git and codebuff ignore is not among them. */
export class FilePicker {
  readonly #chat: ChatFace;
  #search: Search | undefined;
  #targets: { files: readonly Snapshot[]; agents: readonly Snapshot[] } | undefined;
  #first: readonly string[] = [];
  #readAt = 0;
  #reading: Promise<void> | undefined;

  constructor(chat: ChatFace) {
    this.#chat = chat;
  }

  /** At once when the list is known; the first time it is read. */
  find(typed: string): readonly FoundTarget[] | Promise<readonly FoundTarget[]> {
    if (Date.now() - this.#readAt > freshMs) this.#reading ??= this.#read();
    if (this.#targets === undefined) return (this.#reading ?? Promise.resolve()).then(() => this.#find(typed));
    return this.#find(typed);
  }

  #find(typed: string): readonly FoundTarget[] {
    if (this.#targets === undefined || this.#search === undefined) return [];
    const { files, agents } = this.#targets;
    const paths = typed === "" ? this.#first : this.#search(typed, files, most);
    const names = this.#search(typed, agents, mostAgents);
    return [...paths.map((target) => ({ target, help: "" })), ...names.map((target) => ({ target, help: "agent" }))];
  }

  async #read(): Promise<void> {
    try {
      const [{ default: fuzzysort }, { listFiles }, { client }] = await Promise.all([
        import("fuzzysort"),
        import("@muster/codebuff-workspace"),
        this.#chat.conversation(),
      ]);
      const [files, agents] = await Promise.all([
        listFiles({ root: this.#chat.options.cwd }).catch(() => []),
        client.listAgents().catch(() => []),
      ]);
      const targets = [...files.sort(), ...directoriesOf(files)];
      this.#first = targets.slice(0, most);
      const slices: Snapshot[] = [];
      for (let from = 0; from < targets.length; from += slice) {
        const one = fuzzysort.snapshot(targets.slice(from, from + slice));
        // The first search makes it ready.
        fuzzysort.go("a", one, { limit: 1 });
        slices.push(one);
        await setImmediate();
      }
      this.#targets = { files: slices, agents: [fuzzysort.snapshot(agents.map(({ id }) => id))] };
      this.#search = (typed, snapshots, limit) =>
        snapshots
          .flatMap((one) => [...fuzzysort.go(typed, one, { limit, threshold: 0.2 })])
          .sort((one, other) => other.score - one.score)
          .slice(0, limit)
          .map(({ target }) => target);
      this.#readAt = Date.now();
    } finally {
      this.#reading = undefined;
    }
  }
}

function directoriesOf(files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const directory = file.slice(0, end + 1);
      if (found.has(directory)) break;
      found.add(directory);
    }
  }
  return [...found];
}
