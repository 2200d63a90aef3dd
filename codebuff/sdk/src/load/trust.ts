import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../settings/private-file.ts";
import { readJsonFile } from "../settings/user-config.ts";

type TrustKind = "agent" | "mcp" | "mcp tools" | "project config" | "skill" | "rule" | "hooks" | "command";

/** Something of a project that would run on this machine, steer the model or open something to it. */
export interface TrustItem {
  readonly kind: TrustKind;
  readonly path: string;
  /** What it would do, for a person to read. */
  readonly content: string;
}

/** An item nobody has accepted as it is now. */
export interface UntrustedItem extends TrustItem {
  readonly hash: string;
  /** What was accepted before, when it was short enough to be kept. */
  readonly before: string | undefined;
  readonly change: "new" | "changed";
}

/** Everything of a project that has not been accepted: one question. */
export interface TrustRequest {
  readonly root: string;
  readonly items: readonly UntrustedItem[];
  /** Of all of it: the same question has the same hash. */
  readonly hash: string;
}

/** `this run`: used now, and asked for again next time. */
export type TrustDecision = boolean | "this run";

/** Decides once per content. Without it nothing new is trusted. */
export type DecideTrust = (request: TrustRequest) => TrustDecision | Promise<TrustDecision>;

const Accepted = z.object({ hash: z.string(), at: z.number(), text: z.string().optional() });
const TrustFile = z.object({
  trusted: z
    .record(z.string(), z.object({ path: z.string(), at: z.number() }))
    .catch({})
    .default({}),
  /** Root of a project → name of an item → what was accepted. */
  projects: z.record(z.string(), z.record(z.string(), Accepted)).catch({}).default({}),
});
type TrustFile = z.infer<typeof TrustFile>;

/** Names in `trust.json` of what was seen first. */
const firstSeen = "first seen ";
/** A longer content is told to have changed without what it was. */
const longestKept = 32 * 1024;

/** How the headless run and the commands tell what to do. */
export const howToTrust = "run codebuff trust here to accept it, or give --trust to use it in this run only";

/** What the person has accepted of one project, by content: another content has to be accepted again. */
export class Trust {
  readonly #file: string;
  /** Where it really is: the same project by another name is the same project. */
  readonly #root: string;
  readonly #named: string;
  readonly #decide: DecideTrust | undefined;
  /** Decided in this run and not written down. */
  readonly #now = new Map<string, boolean>();
  #known: Promise<TrustFile> | undefined;

  constructor({ home = homedir(), root, decide }: { home?: string; root: string; decide?: DecideTrust }) {
    this.#file = join(home, ".codebuff", "trust.json");
    this.#root = realRoot(root);
    this.#named = root;
    this.#decide = decide;
  }

  get canAsk(): boolean {
    return this.#decide !== undefined;
  }

  /** One question for everything that is new or changed. */
  async review(items: readonly TrustItem[]): Promise<void> {
    const open = await this.untrusted(items);
    if (open.length === 0 || this.#decide === undefined) return;
    const decision = await this.#decide({
      root: this.#root,
      items: open,
      hash: hashOf(open.map(({ hash }) => hash).join()),
    });
    for (const item of open) this.#now.set(this.#nameOf(item) + item.hash, decision !== false);
    if (decision === true) await this.accept(open);
  }

  async accepts(item: TrustItem): Promise<boolean> {
    const key = this.#nameOf(item) + hashOf(item.content);
    if (!this.#now.has(key)) await this.review([item]);
    return this.#now.get(key) ?? (await this.untrusted([item])).length === 0;
  }

  /** The items nobody has accepted as they are now. */
  async untrusted(items: readonly TrustItem[]): Promise<UntrustedItem[]> {
    const { projects } = await this.#read();
    const accepted = projects[this.#root] ?? {};
    return items.flatMap((item) => {
      const hash = hashOf(item.content);
      const before = Object.hasOwn(accepted, this.#nameOf(item)) ? accepted[this.#nameOf(item)] : undefined;
      if (before?.hash === hash || this.#now.has(this.#nameOf(item) + hash)) return [];
      return [{ ...item, hash, before: before?.text, change: before === undefined ? "new" : "changed" } as const];
    });
  }

  /** Writes down that the person has accepted these as they are. */
  async accept(items: readonly TrustItem[]): Promise<void> {
    const at = Date.now();
    const added = items.map((item) => {
      const text = item.content.length <= longestKept ? item.content : undefined;
      return [this.#nameOf(item), { hash: hashOf(item.content), at, text }] as const;
    });
    await this.#change(({ projects }) => {
      projects[this.#root] = { ...projects[this.#root], ...Object.fromEntries(added) };
    });
    for (const item of items) this.#now.set(this.#nameOf(item) + hashOf(item.content), true);
  }

  /** Forgets everything that was accepted of this project; false when there was nothing. */
  async forget(): Promise<boolean> {
    let wasThere = false;
    await this.#change(({ projects }) => {
      wasThere = Object.hasOwn(projects, this.#root);
      delete projects[this.#root];
    });
    return wasThere;
  }

  /** Roots of the projects of which something was accepted. */
  async projects(): Promise<string[]> {
    return Object.keys((await this.#read()).projects);
  }

  /**
   * What a server says of its tools: the first words are taken with the server itself, every other ones have to be accepted.
   * `server` names it and its configuration.
   */
  async acceptsTools(server: string, content: string): Promise<boolean> {
    const key = firstSeen + hashOf(server);
    const path = hashOf(content);
    const { trusted } = await this.#read();
    if (Object.hasOwn(trusted, key))
      return trusted[key]?.path === path || this.accepts({ kind: "mcp tools", path: server, content });
    await this.#change((file) => {
      file.trusted[key] = { path, at: Date.now() };
    });
    return true;
  }

  /** Items of one kind and path may be several: rules are named by what they say. */
  #nameOf({ kind, path, content }: TrustItem): string {
    const base = path.startsWith(this.#named) ? this.#named : this.#root;
    const shown = isAbsolute(path) ? relative(base, path) : path;
    return kind === "rule" ? `${kind} ${shown} ${content}` : `${kind} ${shown}`;
  }

  async #change(change: (file: TrustFile) => void): Promise<void> {
    // Another process may have written meanwhile.
    this.#known = undefined;
    const file = await this.#read();
    change(file);
    await writePrivateFile(this.#file, `${JSON.stringify(file, null, 2)}\n`);
  }

  #read(): Promise<TrustFile> {
    // A broken file means that nothing was accepted; it is asked again.
    this.#known ??= readJsonFile(this.#file, () => undefined).then(
      (text) => TrustFile.safeParse(text).data ?? TrustFile.parse({}),
    );
    return this.#known;
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // A virtual project has only a name.
    return root;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
