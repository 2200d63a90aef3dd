import type { Snapshot } from "fuzzysort";
import type { ChatFace } from "../chat/chat-face.ts";

/** A list older than this is read again, in the background. */
const freshMs = 10_000;
const most = 50;

/** A path or an agent's name. */
export interface FoundTarget {
  readonly target: string;
  readonly help: string;
}

type Search = (typed: string, targets: Snapshot) => readonly string[];

/** Files, directories and agents for `@`, by a few of their letters. What git and codebuff ignore is not among them. */
export class FilePicker {
  readonly #chat: ChatFace;
  #search: Search | undefined;
  #targets: Snapshot | undefined;
  #first: readonly string[] = [];
  #agents: ReadonlySet<string> = new Set();
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
    const found = typed === "" ? this.#first : this.#search(typed, this.#targets);
    return found.map((target) => ({ target, help: this.#agents.has(target) ? "agent" : "" }));
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
      this.#agents = new Set(agents.map(({ id }) => id));
      const targets = [...files.sort(), ...directoriesOf(files), ...agents.map(({ id }) => id)];
      this.#first = targets.slice(0, most);
      this.#targets = fuzzysort.snapshot(targets);
      this.#search = (typed, snapshot) =>
        fuzzysort.go(typed, snapshot, { limit: most, threshold: 0.2 }).map(({ target }) => target);
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
