import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const lifetimeMs = 30 * 24 * 3_600_000;

export interface PageKey {
  key: string;
  expiresAt: string;
}

/**
 * Keys of the daemon's own page: expiry, nonce and an HMAC made with the token and a secret of the data directory. No key is
 * stored, so one outlives a restart, and changing the token ends every one of them.
 */
export class PageKeys {
  readonly #secret: Buffer;

  /** Without a token everybody is let in anyway, and keys only last as long as the process. */
  constructor(signedWith?: { token: string; secret: string }) {
    this.#secret =
      signedWith === undefined
        ? randomBytes(32)
        : createHmac("sha256", signedWith.secret).update(signedWith.token).digest();
  }

  create(): PageKey {
    const expires = Date.now() + lifetimeMs;
    const content = `page.${expires.toString(36)}.${randomBytes(12).toString("base64url")}`;
    return { key: `${content}.${this.#sign(content)}`, expiresAt: new Date(expires).toISOString() };
  }

  isValid(key: string): boolean {
    const [, content, expires, signature] = /^(page\.([0-9a-z]{1,12})\.[\w-]{16})\.([\w-]{43})$/.exec(key) ?? [];
    if (content === undefined || expires === undefined || signature === undefined) return false;
    const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(content)));
    return isOurs && Number.parseInt(expires, 36) > Date.now();
  }

  #sign(content: string): string {
    return createHmac("sha256", this.#secret).update(content).digest("base64url");
  }
}
