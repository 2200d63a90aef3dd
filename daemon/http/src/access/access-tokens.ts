import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { rename } from "node:fs/promises";
import { readRegular, replaceFile, SerialQueue } from "@muster/node";
import {
  type AccessToken,
  type CreatedToken,
  type CreateToken,
  Failure,
  scopes,
  storageFailure,
} from "@muster/schema/wire";
import type { RequestLog } from "../answers/request-log.ts";
import type { Grant } from "./grant.ts";

interface Kept extends AccessToken {
  /** Of the token, as hex: the token itself is nowhere. */
  readonly hash: string;
  /** Of the daemon's own token, where this one was made for a page: it ends when the daemon gets another. */
  readonly boundTo?: string;
}

export interface AccessTokensOptions {
  path: string;
  /** Tokens that are given at the start, with what each lets in to; none of them is listed or kept. */
  given: readonly (readonly [token: string, grant: Grant])[];
  log: RequestLog;
}

/** More are a mistake of a program that makes one for each call. */
const mostTokens = 10_000;
/** A page asks for a new key when its own is gone; the oldest goes. */
const mostOfPages = 100;
const pageLifetimeMs = 30 * 24 * 3_600_000;
/** How exactly the last use of a token is kept. */
const lastUseMs = 60_000;
const form = /^mst_([0-9a-f]{12})_[\w-]{43}$/;

/** Every bearer token that lets in: those given at the start, and those made since, which a file keeps as hashes. */
export class AccessTokens {
  readonly #path: string;
  readonly #log: RequestLog;
  readonly #given: readonly (readonly [hash: Buffer, grant: Grant])[];
  readonly #kept: Map<string, Kept>;
  readonly #used = new Map<string, string>();
  readonly #ends = new Map<string, Set<() => void>>();
  readonly #writes = new SerialQueue();
  #useTimer: NodeJS.Timeout | undefined;

  static async open(options: AccessTokensOptions): Promise<AccessTokens> {
    return new AccessTokens(options, await readKept(options));
  }

  private constructor({ path, given, log }: AccessTokensOptions, kept: readonly Kept[]) {
    this.#path = path;
    this.#log = log;
    this.#given = given.map(([token, grant]) => [sha256(token), grant]);
    const isBound = (hash: string) => this.#given.some(([known]) => known.toString("hex") === hash);
    const live = kept.filter((one) => !hasEnded(one) && (one.boundTo === undefined || isBound(one.boundTo)));
    this.#kept = new Map(live.map((one) => [one.tokenId, one]));
  }

  /** What a bearer token lets in to; undefined for one that is unknown, revoked or too old. */
  grantOf(token: string): Grant | undefined {
    const hash = sha256(token);
    const given = this.#given.find(([known]) => timingSafeEqual(known, hash));
    if (given !== undefined) return given[1];
    const found = this.#kept.get(form.exec(token)?.[1] ?? "");
    if (found === undefined || hasEnded(found)) return undefined;
    if (!timingSafeEqual(Buffer.from(found.hash, "hex"), hash)) return undefined;
    this.#noteUse(found.tokenId);
    return grantFrom(found);
  }

  /** Whether a token still lets in: what it asked for may have taken long to arrive, and a ticket of it is shown later. */
  isLive(tokenId: string): boolean {
    const found = this.#kept.get(tokenId);
    return found !== undefined && !hasEnded(found);
  }

  async create(asked: CreateToken): Promise<CreatedToken> {
    if (asked.expiresAt !== undefined && Date.parse(asked.expiresAt) <= Date.now()) {
      throw new Failure("invalid_request", `expiresAt is in the past: ${asked.expiresAt}`);
    }
    this.#dropEnded();
    if (this.#kept.size >= mostTokens) {
      throw new Failure("too_many_requests", `There are ${mostTokens} access tokens; revoke those nobody uses`);
    }
    return this.#make(asked);
  }

  /** For a page that showed a ticket: it works for thirty days, and no longer than the daemon keeps its own token. */
  async createForPage(): Promise<CreatedToken> {
    this.#dropEnded();
    const pages = [...this.#kept.values()].filter(({ boundTo }) => boundTo !== undefined);
    for (const { tokenId } of pages.slice(0, Math.max(0, pages.length - mostOfPages + 1))) this.#drop(tokenId);
    const expiresAt = new Date(Date.now() + pageLifetimeMs).toISOString();
    return this.#make({ scope: "work", name: "page", expiresAt }, this.#given[0]?.[0].toString("hex"));
  }

  list(): AccessToken[] {
    this.#dropEnded();
    return [...this.#kept.values()].map((kept) => ({ ...shown(kept), lastUsedAt: this.#lastUse(kept) }));
  }

  async revoke(tokenId: string): Promise<void> {
    const found = this.#kept.get(tokenId);
    if (found === undefined) throw new Failure("token_not_found", `There is no access token ${tokenId}`, { tokenId });
    this.#kept.delete(tokenId);
    try {
      await this.#write();
    } catch (error) {
      // It is still in the file and would let in again after a restart: the caller has to know that it stands.
      this.#kept.set(tokenId, found);
      throw error;
    }
    this.#drop(tokenId);
  }

  /** Calls `end` once when the token is revoked or too old, at once if it is; the returned function takes that back. */
  onEnd(tokenId: string, end: () => void): () => void {
    if (!this.isLive(tokenId)) {
      end();
      return () => {};
    }
    const ends = this.#ends.get(tokenId) ?? new Set();
    this.#ends.set(tokenId, ends.add(end));
    const { expiresAt } = this.#kept.get(tokenId) ?? {};
    const timer = expiresAt === undefined ? undefined : callAt(Date.parse(expiresAt), end);
    return () => {
      timer?.clear();
      ends.delete(end);
      if (ends.size === 0) this.#ends.delete(tokenId);
    };
  }

  /** Writes when tokens were last used, as far as that is not written yet. */
  async close(): Promise<void> {
    if (this.#useTimer === undefined) return;
    clearTimeout(this.#useTimer);
    this.#useTimer = undefined;
    await this.#write().catch((error: unknown) => this.#tellUnwritten(error));
  }

  async #make(asked: CreateToken, boundTo?: string): Promise<CreatedToken> {
    const id = randomBytes(6).toString("hex");
    const token = `mst_${id}_${randomBytes(32).toString("base64url")}`;
    const made: AccessToken = { tokenId: id, ...asked, createdAt: new Date().toISOString() };
    this.#kept.set(id, { ...made, hash: sha256(token).toString("hex"), ...(boundTo !== undefined && { boundTo }) });
    try {
      await this.#write();
    } catch (error) {
      this.#kept.delete(id);
      throw error;
    }
    return { ...made, token };
  }

  #write(): Promise<void> {
    return this.#writes.run(() => {
      const tokens = [...this.#kept.values()].map((kept) => ({ ...kept, lastUsedAt: this.#lastUse(kept) }));
      const text = `${JSON.stringify({ format: 1, tokens }, null, 1)}\n`;
      return replaceFile(this.#path, text, { isDurable: true }).catch((error: unknown) => {
        throw storageFailure(error);
      });
    });
  }

  #noteUse(tokenId: string): void {
    this.#used.set(tokenId, new Date().toISOString());
    if (this.#useTimer !== undefined) return;
    this.#useTimer = setTimeout(() => {
      this.#useTimer = undefined;
      this.#write().catch((error: unknown) => this.#tellUnwritten(error));
    }, lastUseMs);
    this.#useTimer.unref();
  }

  #tellUnwritten(error: unknown): void {
    this.#log("warn", "when access tokens were last used could not be written", { error: String(error) });
  }

  #lastUse({ tokenId, lastUsedAt }: Kept): string | undefined {
    return this.#used.get(tokenId) ?? lastUsedAt;
  }

  #dropEnded(): void {
    for (const kept of this.#kept.values()) if (hasEnded(kept)) this.#drop(kept.tokenId);
  }

  #drop(tokenId: string): void {
    this.#kept.delete(tokenId);
    this.#used.delete(tokenId);
    for (const end of this.#ends.get(tokenId) ?? []) end();
    this.#ends.delete(tokenId);
  }
}

/** A file that cannot be read lets nobody in; it is put aside, so that the next token does not write over it. */
async function readKept({ path, log }: AccessTokensOptions): Promise<Kept[]> {
  try {
    const { tokens } = JSON.parse(String(await readRegular(path))) as { tokens: Kept[] };
    if (!tokens.every(isKept)) throw new Error("it holds something that is no access token");
    return tokens;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    const aside = `${path}.unreadable`;
    await rename(path, aside).catch(() => {});
    log("error", "the access tokens cannot be read and let nobody in", { path, aside, error: String(error) });
    return [];
  }
}

/** A limit that cannot be read would be none: such a token must not let in to everything. */
function isKept({ tokenId, hash, scope, sessions, agents, expiresAt }: Kept): boolean {
  const areLists = [sessions, agents].every((limit) => limit === undefined || Array.isArray(limit));
  const hasEnd = expiresAt === undefined || (typeof expiresAt === "string" && Number.isFinite(Date.parse(expiresAt)));
  const isNamed = typeof tokenId === "string" && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
  return isNamed && scopes.includes(scope) && areLists && hasEnd;
}

function shown({ hash: _, boundTo: __, ...token }: Kept): AccessToken {
  return token;
}

function grantFrom({ tokenId, scope, sessions, agents }: Kept): Grant {
  return {
    tokenId,
    scope,
    ...(sessions && { sessions: new Set(sessions) }),
    ...(agents && { agents: new Set(agents) }),
  };
}

function hasEnded({ expiresAt }: Kept): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Hashes have one length, so the comparison takes the same time whatever was sent. */
function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** A timer holds 24 days at most: one that is further away is set again. */
function callAt(time: number, call: () => void): { clear(): void } {
  const longest = 2 ** 31 - 1;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const left = time - Date.now();
    timer = setTimeout(left > longest ? wait : call, Math.min(Math.max(left, 0), longest));
    timer.unref();
  };
  wait();
  return { clear: () => clearTimeout(timer) };
}
