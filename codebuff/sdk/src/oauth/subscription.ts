import { setTimeout } from "node:timers/promises";
import { takePidLock } from "@muster/node";
import type { OauthConfig } from "../settings/user-config.ts";
import {
  deleteTokens,
  type OauthName,
  type OauthTokens,
  readTokens,
  tokenFile,
  tokenVariables,
  writeTokens,
} from "./token-file.ts";
import { GrantRefused, requestTokens } from "./token-request.ts";

const renewBeforeMs = 5 * 60_000;
const lockWaitMs = 30_000;

/** A connected subscription: hands out a token that is good, renewing it at most once at a time over all processes. */
export class Subscription {
  readonly name: OauthName;
  readonly config: OauthConfig;
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  #renewing: Promise<OauthTokens | undefined> | undefined;
  #blockedUntil = 0;

  constructor(name: OauthName, config: OauthConfig, { home, env }: { home: string; env: NodeJS.ProcessEnv }) {
    this.name = name;
    this.config = config;
    this.#file = tokenFile(home, name);
    this.#env = env;
  }

  block(untilMs: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, untilMs);
  }

  isBlocked(nowMs = Date.now()): boolean {
    return nowMs < this.#blockedUntil;
  }

  async isConnected(): Promise<boolean> {
    return this.#fromEnvironment() !== undefined || (await readTokens(this.#file)) !== undefined;
  }

  /** Undefined when the person has to connect again. */
  async accessToken(): Promise<string | undefined> {
    const given = this.#fromEnvironment();
    if (given !== undefined) return given;
    const tokens = await readTokens(this.#file);
    if (tokens === undefined) return undefined;
    const isFresh = tokens.expiresAt === undefined || tokens.expiresAt - Date.now() > renewBeforeMs;
    return isFresh ? tokens.accessToken : (await this.#renew(tokens.accessToken))?.accessToken;
  }

  /** The service did not accept `used`. False when there is no other token to be had. */
  async renew(used: string | undefined): Promise<boolean> {
    if (this.#fromEnvironment() !== undefined) return false;
    return (await this.#renew(used)) !== undefined;
  }

  #fromEnvironment(): string | undefined {
    return this.#env[tokenVariables[this.name]]?.trim() || undefined;
  }

  #renew(used: string | undefined): Promise<OauthTokens | undefined> {
    this.#renewing ??= this.#renewLocked(used).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewLocked(used: string | undefined): Promise<OauthTokens | undefined> {
    const unlock = await waitForLock(this.#file);
    try {
      const tokens = await readTokens(this.#file);
      // Another process was faster.
      if (tokens === undefined || (used !== undefined && tokens.accessToken !== used)) return tokens;
      if (tokens.refreshToken === undefined) {
        await deleteTokens(this.#file);
        return undefined;
      }
      const grant = { grant_type: "refresh_token", refresh_token: tokens.refreshToken };
      const renewed = await requestTokens(this.config, grant);
      await writeTokens(this.#file, renewed);
      return renewed;
    } catch (error) {
      if (error instanceof GrantRefused) await deleteTokens(this.#file);
      // An issuer that cannot be reached leaves the token where it is.
      return undefined;
    } finally {
      await unlock();
    }
  }
}

async function waitForLock(file: string): Promise<() => Promise<void>> {
  const end = Date.now() + lockWaitMs;
  for (;;) {
    const lock = await takePidLock(`${file}.lock`);
    if ("release" in lock) return lock.release;
    if (Date.now() > end) throw new Error("Another process has been renewing the token for too long");
    await setTimeout(20 + Math.random() * 30);
  }
}
