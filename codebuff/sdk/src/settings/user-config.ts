import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

export const ProviderConfig = z.looseObject({
  type: z.enum(["anthropic", "openai", "openai-compatible", "openrouter", "backend"]),
  baseUrl: z.string().min(1).optional(),
  /** The name of the variable that holds the key; keys themselves do not stand in this file. */
  apiKeyEnv: z.string().min(1).optional(),
  /** The model to use here when the agent's own is another vendor's. */
  model: z.string().min(1).optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

export const OauthConfig = z.object({
  issuer: z.string().optional(),
  authorizeUrl: z.url(),
  tokenUrl: z.url(),
  clientId: z.string().min(1),
  scopes: z.array(z.string()).default([]),
  redirectUri: z.url().optional(),
  apiBaseUrl: z.url(),
  /** Patterns of model names without vendor; `*` stands for anything. */
  models: z.array(z.string()).optional(),
});
export type OauthConfig = z.infer<typeof OauthConfig>;

const UserConfig = z.looseObject({
  apiKey: z.string().optional(),
  token: z.string().optional(),
  baseUrl: z.string().optional(),
  mode: z.string().optional(),
  model: z.string().optional(),
  provider: z.string().optional(),
  providers: z.record(z.string(), ProviderConfig).default({}),
  permissions: z.unknown().optional(),
  theme: z.string().optional(),
  oauth: z.object({ claude: OauthConfig.optional(), chatgpt: OauthConfig.optional() }).default({}),
});
export type UserConfig = z.infer<typeof UserConfig>;

/** `~/.codebuff/config.json`. A field that does not fit is a warning and left out; the rest holds. */
export async function readUserConfig(home: string, warn: (message: string) => void): Promise<UserConfig> {
  const path = join(home, ".codebuff", "config.json");
  const parsed = await readJsonFile(path, warn);
  const read = UserConfig.safeParse(parsed ?? {});
  if (read.success) return read.data;
  const faulty = new Set(read.error.issues.map(({ path: [field] }) => String(field ?? "")));
  warn(`${path}: ${z.prettifyError(read.error).replaceAll("\n", " ")}`);
  const sound = Object.entries(isRecord(parsed) ? parsed : {}).filter(([field]) => !faulty.has(field));
  return UserConfig.parse(Object.fromEntries(sound));
}

/** Undefined when there is no such file; a broken one is a warning with its name. */
export async function readJsonFile(path: string, warn: (message: string) => void): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") warn(`${path} cannot be read (${code})`);
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says may quote the file, and the file may hold a key.
    warn(`${path} is not valid JSON`);
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
