import { findWays } from "@muster/codebuff-sdk";
import { z } from "zod";

const Usage = z.looseObject({
  usage: z.number().optional(),
  remainingBalance: z.number().nullish(),
  next_quota_reset: z.string().nullish(),
});

/** What the account of this machine has left, in words; reading it never fails the person's work. */
export async function readUsage(place: {
  baseUrl?: string;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}): Promise<string> {
  const { credential, baseUrl } = await findWays({ ...place, env: { ...place.env } });
  if (credential === undefined) return "No Codebuff account on this machine: your own key pays its provider directly.";
  try {
    const response = await fetch(`${baseUrl}/api/v1/usage`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${credential.apiKey}` },
      body: "{}",
      signal: AbortSignal.timeout(10_000),
    });
    const answer = Usage.safeParse(await response.json());
    if (!response.ok || !answer.success)
      return `The server at ${baseUrl} does not tell the balance (status ${response.status}).`;
    const { remainingBalance, next_quota_reset: reset } = answer.data;
    return `Account at ${baseUrl}: ${remainingBalance ?? "?"} credits left${reset ? `, more on ${reset.slice(0, 10)}` : ""}.`;
  } catch {
    // Offline is no reason to fail: the person asked how much is left, and that cannot be told now.
    return `The server at ${baseUrl} cannot be reached.`;
  }
}
