import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../settings/private-file.ts";
import { readJsonFile } from "../settings/user-config.ts";

/** Something of a project that would run on this machine. */
export interface TrustRequest {
  readonly kind: "agent" | "mcp" | "mcp tools" | "project config";
  readonly path: string;
  /** What it would do, for a person to read. */
  readonly content: string;
  readonly hash: string;
}

/** Decides once per content. Without it nothing new is trusted. */
export type DecideTrust = (request: TrustRequest) => boolean | Promise<boolean>;

const TrustFile = z.object({ trusted: z.record(z.string(), z.object({ path: z.string(), at: z.number() })) });

/** Names in `trust.json` of what was seen first, beside the hashes of what was accepted. */
const firstSeen = "first seen ";

/** What the person has accepted, by the hash of its content: another content has to be accepted again. */
export class Trust {
  readonly #file: string;
  readonly #decide: DecideTrust | undefined;
  #known: Promise<z.infer<typeof TrustFile>["trusted"]> | undefined;

  constructor({ home = homedir(), decide }: { home?: string; decide?: DecideTrust } = {}) {
    this.#file = join(home, ".codebuff", "trust.json");
    this.#decide = decide;
  }

  async accepts(request: Omit<TrustRequest, "hash">): Promise<boolean> {
    const hash = createHash("sha256").update(`${request.kind}\n${request.content}`).digest("hex");
    const known = await this.#read();
    if (Object.hasOwn(known, hash)) return true;
    if (this.#decide === undefined || !(await this.#decide({ ...request, hash }))) return false;
    known[hash] = { path: request.path, at: Date.now() };
    await this.#write(known);
    return true;
  }

  /**
   * What a server says of its tools: the first words are taken with the server itself, every other ones have to be accepted.
   * `server` names it and its configuration.
   */
  async acceptsTools(server: string, content: string): Promise<boolean> {
    const known = await this.#read();
    const key = firstSeen + createHash("sha256").update(server).digest("hex");
    const path = createHash("sha256").update(content).digest("hex");
    if (!Object.hasOwn(known, key)) {
      known[key] = { path, at: Date.now() };
      await this.#write(known);
      return true;
    }
    return known[key]?.path === path || this.accepts({ kind: "mcp tools", path: server, content });
  }

  async #write(known: z.infer<typeof TrustFile>["trusted"]): Promise<void> {
    await writePrivateFile(this.#file, `${JSON.stringify({ trusted: known }, null, 2)}\n`);
  }

  #read() {
    // A broken file means that nothing was accepted; it is asked again.
    this.#known ??= readJsonFile(this.#file, () => undefined).then(
      (text) => TrustFile.safeParse(text).data?.trusted ?? {},
    );
    return this.#known;
  }
}
