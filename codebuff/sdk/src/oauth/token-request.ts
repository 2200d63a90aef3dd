import { z } from "zod";
import type { OauthConfig } from "../settings/user-config.ts";
import type { OauthTokens } from "./token-file.ts";

const Answer = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.number().positive().optional(),
});

/** The issuer said no: the grant is used up or revoked. Anything else may pass. */
export class GrantRefused extends Error {}

export async function requestTokens(
  config: OauthConfig,
  grant: Record<string, string>,
  signal?: AbortSignal,
): Promise<OauthTokens> {
  const response = await fetch(config.tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({ client_id: config.clientId, ...grant }).toString(),
    signal: signal === undefined ? AbortSignal.timeout(30_000) : AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
  });
  const text = await response.text();
  if (response.status === 400 || response.status === 401 || response.status === 403)
    throw new GrantRefused(`The issuer refused the grant (status ${response.status})`);
  if (!response.ok) throw new Error(`The issuer answered with status ${response.status}`);
  const answer = Answer.parse(JSON.parse(text));
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? grant.refresh_token,
    expiresAt: answer.expires_in === undefined ? undefined : Date.now() + answer.expires_in * 1000,
  };
}
