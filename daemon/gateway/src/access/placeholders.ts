import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ModelAccessRequest } from "@muster/schema";

/** A placeholder and what it stands for. It belongs to its holder and provider, and is known only in this memory. */
export interface Placeholder {
  readonly token: string;
  readonly holder: ModelAccessRequest["holder"];
  readonly provider: string;
  /** What was asked for last: a new key of a session holds for the placeholder that its agent has already. */
  asked: ModelAccessRequest;
}

interface Entry extends Placeholder {
  readonly digest: Buffer;
  /** How many processes were started with it. */
  uses: number;
}

/** The placeholders that open something now. */
export class Placeholders {
  readonly #byHolder = new Map<string, Entry>();
  readonly #byDigest = new Map<string, Entry>();

  /** The same one again for the same holder and provider, until each of its uses was released. */
  issue(asked: ModelAccessRequest): { placeholder: Placeholder; release(): void } {
    const key = holderKey(asked);
    const entry = this.#byHolder.get(key) ?? this.#make(key, asked);
    entry.asked = asked;
    entry.uses++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      if (--entry.uses > 0) return;
      this.#byHolder.delete(key);
      this.#byDigest.delete(entry.digest.toString("hex"));
    };
    return { placeholder: entry, release };
  }

  /** Looked up by its digest: how long that takes says nothing about the characters of one that is valid. */
  find(token: string): Placeholder | undefined {
    const digest = digestOf(token);
    const entry = this.#byDigest.get(digest.toString("hex"));
    return entry !== undefined && timingSafeEqual(entry.digest, digest) ? entry : undefined;
  }

  /** Whether a placeholder of this session is still given out. */
  isHeldBy(sessionId: string): boolean {
    return [...this.#byHolder.values()].some(({ holder }) => "sessionId" in holder && holder.sessionId === sessionId);
  }

  tokens(): string[] {
    return [...this.#byHolder.values()].map(({ token }) => token);
  }

  #make(key: string, asked: ModelAccessRequest): Entry {
    const token = tokenFor(asked.provider);
    const digest = digestOf(token);
    const entry: Entry = { token, digest, holder: asked.holder, provider: asked.provider, asked, uses: 0 };
    this.#byHolder.set(key, entry);
    this.#byDigest.set(digest.toString("hex"), entry);
    return entry;
  }
}

/** Agents and their libraries tell the provider by how a key begins. */
const prefixes: Readonly<Record<string, string>> = {
  anthropic: "sk-ant-msk-",
  openrouter: "sk-or-msk-",
  gemini: "AIzamsk",
};

function tokenFor(provider: string): string {
  const prefix = Object.hasOwn(prefixes, provider) ? prefixes[provider] : undefined;
  return `${prefix ?? "sk-msk-"}${randomBytes(24).toString("base64url")}`;
}

function holderKey({ holder, provider }: ModelAccessRequest): string {
  return JSON.stringify(["sessionId" in holder ? ["session", holder.sessionId] : ["server", holder.server], provider]);
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
