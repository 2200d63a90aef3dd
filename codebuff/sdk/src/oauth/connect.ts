import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { homedir } from "node:os";
import { SdkError } from "../sdk-error.ts";
import type { OauthConfig } from "../settings/user-config.ts";
import { deleteTokens, type OauthName, tokenFile, writeTokens } from "./token-file.ts";
import { requestTokens } from "./token-request.ts";

export interface PendingConnection {
  /** To be opened in a browser. */
  readonly url: string;
  /** Takes the code the issuer gave, as `code` or `code#state` or the whole redirect URL; stores the tokens. */
  finish(answer: string, signal?: AbortSignal): Promise<void>;
}

/** Begins to connect a subscription: authorization code with PKCE, at the configured issuer and nowhere else. */
export function connectSubscription(
  name: OauthName,
  config: OauthConfig,
  { home = homedir() }: { home?: string } = {},
): PendingConnection {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const redirect = config.redirectUri ?? new URL("/oauth/code", config.authorizeUrl).href;
  const url = new URL(config.authorizeUrl);
  const query = {
    response_type: "code",
    client_id: config.clientId,
    redirect_uri: redirect,
    scope: config.scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return {
    url: url.href,
    async finish(answer, signal) {
      const given = readAnswer(answer);
      if (given.state !== undefined && !isSame(given.state, state))
        throw new SdkError("bad_oauth_state", "The answer belongs to another connection");
      const grant = {
        grant_type: "authorization_code",
        code: given.code,
        redirect_uri: redirect,
        code_verifier: verifier,
      };
      await writeTokens(tokenFile(home, name), await requestTokens(config, grant, signal));
    },
  };
}

export function disconnectSubscription(name: OauthName, { home = homedir() }: { home?: string } = {}): Promise<void> {
  return deleteTokens(tokenFile(home, name));
}

function readAnswer(answer: string): { code: string; state?: string } {
  const text = answer.trim();
  if (URL.canParse(text)) {
    const { searchParams } = new URL(text);
    const code = searchParams.get("code");
    if (!code) throw new SdkError("bad_oauth_answer", "The address holds no code");
    return { code, state: searchParams.get("state") ?? "" };
  }
  const [code = "", state] = text.split("#");
  if (code === "") throw new SdkError("bad_oauth_answer", "There is no code");
  return { code, state };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
