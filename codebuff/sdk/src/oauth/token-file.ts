import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { z } from "zod";
import { writePrivateFile } from "../settings/private-file.ts";

export type OauthName = "claude" | "chatgpt";

export const OauthTokens = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).optional(),
  /** Undefined: it does not say. */
  expiresAt: z.number().optional(),
});
export type OauthTokens = z.infer<typeof OauthTokens>;

/** A token from the environment wins and is never renewed or stored. */
export const tokenVariables: Readonly<Record<OauthName, string>> = {
  claude: "CODEBUFF_CLAUDE_OAUTH_TOKEN",
  chatgpt: "CODEBUFF_CHATGPT_OAUTH_TOKEN",
};

export function tokenFile(home: string, name: OauthName): string {
  return join(home, ".codebuff", "oauth", `${name}.json`);
}

export async function readTokens(file: string): Promise<OauthTokens | undefined> {
  // Missing and broken are the same here: the person has to connect again.
  const text = await readFile(file, "utf8").catch(() => undefined);
  return OauthTokens.safeParse(parseJson(text)).data;
}

export function writeTokens(file: string, tokens: OauthTokens): Promise<void> {
  return writePrivateFile(file, `${JSON.stringify(tokens, null, 2)}\n`);
}

export async function deleteTokens(file: string): Promise<void> {
  await unlink(file).catch(() => undefined);
}
