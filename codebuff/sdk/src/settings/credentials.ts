import { unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "./private-file.ts";
import { readJsonFile } from "./user-config.ts";

export interface Credential {
  readonly apiKey: string;
  /** Where it was found: the variable's name or the file. */
  readonly source: string;
  /** The server it was made for: it is sent to no other. Undefined where nobody said. */
  readonly baseUrl?: string;
}

export interface CredentialOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly warn?: (message: string) => void;
}

const Keys = z.looseObject({
  apiKey: z.string().optional().catch(undefined),
  token: z.string().optional().catch(undefined),
});
const Login = z.looseObject({ baseUrl: z.string().min(1).optional().catch(undefined) });
const Original = z.looseObject({ default: z.looseObject({ authToken: z.string() }) });

/** Environment, `config.json`, `auth.json`, and last the file of the original command. Blank values count as missing. */
export async function findCredential(options: CredentialOptions = {}): Promise<Credential | undefined> {
  const { env = process.env, home = homedir(), warn = () => undefined } = options;
  const named = env.CODEBUFF_API_KEY?.trim();
  if (named) return { apiKey: named, source: "CODEBUFF_API_KEY" };
  for (const name of ["config.json", "auth.json"]) {
    const source = join(home, ".codebuff", name);
    const file = await readJsonFile(source, warn);
    const { apiKey, token } = Keys.safeParse(file).data ?? {};
    const found = apiKey?.trim() || token?.trim();
    // In config.json the address is a setting of its own, which may be of another server.
    const baseUrl = name === "auth.json" ? Login.safeParse(file).data?.baseUrl : undefined;
    if (found) return { apiKey: found, source, baseUrl };
  }
  const source = join(home, ".config", "manicode", "credentials.json");
  const original = Original.safeParse(await readJsonFile(source, warn)).data?.default.authToken.trim();
  return original ? { apiKey: original, source } : undefined;
}

/** What `login` does: the key and the server it was made for in `~/.codebuff/auth.json`, 0600. */
export async function saveCredential(
  apiKey: string,
  { home = homedir(), baseUrl }: { home?: string; baseUrl?: string } = {},
): Promise<string> {
  const path = join(home, ".codebuff", "auth.json");
  await writePrivateFile(path, `${JSON.stringify({ apiKey, baseUrl }, null, 2)}\n`);
  return path;
}

/** What `logout` does. Other sources are not ours to delete; the caller may tell which one still holds a key. */
export async function deleteCredential({ home = homedir() }: { home?: string } = {}): Promise<boolean> {
  return unlink(join(home, ".codebuff", "auth.json")).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
