import { setImmediate } from "node:timers/promises";
import type { Snapshot } from "fuzzysort";
import type { Chat } from "../chat/chat.ts";
import { isNoProject } from "../chat/choose-project.ts";
import { type Match, searchSlices } from "./search-slices.ts";

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

/** So many targets are made ready or searched in one go; more would hold up a key. */
const slice = 500;

type Found = readonly FoundTarget[];

interface Targets {
  /** Everything that `slices` hold. */
  readonly paths: readonly string[];
  readonly slices: readonly Snapshot[];
  readonly agents: Snapshot;
  readonly search: (typed: string, targets: Snapshot, limit: number) => readonly Match[];
}

/** Files, directories and agents for `@`, by a few of their letters. What git and codebuff ignore is not among them. */
export class FilePicker {
  readonly #chat: Chat;
  #targets: Targets | undefined;
  /** How often somebody asked; an answer to an earlier question is not wanted any more. */
  #asked = 0;
  #readAt = 0;
  #reading: Promise<void> | undefined;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** At once when the list is known and not too long; the first time it is read. Empty when somebody asked meanwhile. */
  find(typed: string): Found | Promise<Found> {
    const asked = ++this.#asked;
    if (Date.now() - this.#readAt > freshMs) this.#reading ??= this.#read();
    const isWanted = () => asked === this.#asked;
    if (this.#targets !== undefined) return find(this.#targets, typed, isWanted);
    return (this.#reading ?? Promise.resolve()).then(() =>
      this.#targets === undefined || !isWanted() ? [] : find(this.#targets, typed, isWanted),
    );
  }

  async #read(): Promise<void> {
    const { options, io } = this.#chat;
    const { cwd } = options;
    try {
      const [{ default: fuzzysort }, { listFiles }, { client }] = await Promise.all([
        import("fuzzysort"),
        import("@muster/codebuff-workspace"),
        this.#chat.conversation(),
      ]);
      const [files, agents] = await Promise.all([
        isNoProject(cwd, io.home) ? [] : listFiles({ root: cwd }).catch(() => []),
        client.listAgents().catch(() => []),
      ]);
      const paths = [...files.sort(), ...directoriesOf(files)];
      const slices: Snapshot[] = [];
      for (let from = 0; from < paths.length; from += slice) {
        const one = fuzzysort.snapshot(paths.slice(from, from + slice));
        // The first search makes it ready.
        fuzzysort.go("a", one, { limit: 1 });
        slices.push(one);
        await setImmediate();
      }
      this.#targets = {
        paths,
        slices,
        agents: fuzzysort.snapshot(agents.map(({ id }) => id)),
        search: (typed, targets, limit) => fuzzysort.go(typed, targets, { limit, threshold: 0.2 }),
      };
      this.#readAt = Date.now();
    } finally {
      this.#reading = undefined;
    }
  }
}

function find({ paths, slices, agents, search }: Targets, typed: string, isWanted: () => boolean) {
  const files =
    typed === ""
      ? paths.slice(0, most).map((target) => ({ target, score: 0 }))
      : searchSlices({ slices, search: (one) => search(typed, one, most), limit: most, isWanted });
  const withAgents = (found: readonly Match[]): Found => [
    ...found.map(({ target }) => ({ target, help: "" })),
    ...search(typed, agents, mostAgents).map(({ target }) => ({ target, help: "agent" })),
  ];
  return files instanceof Promise ? files.then(withAgents) : withAgents(files);
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
