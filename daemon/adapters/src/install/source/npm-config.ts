import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** npm's settings by name, as npm itself would read them: environment, then the user's file, then the global one. */
export type NpmConfig = ReadonlyMap<string, string>;

export async function readNpmConfig(env: NodeJS.ProcessEnv, home: string | undefined): Promise<NpmConfig> {
  const own = environmentConfig(env);
  const user = own.get("userconfig") ?? (home === undefined ? undefined : join(home, ".npmrc"));
  const prefix = own.get("prefix") ?? dirname(dirname(process.execPath));
  const global = own.get("globalconfig") ?? join(prefix, "etc", "npmrc");
  const files = await Promise.all([global, ...(user === undefined ? [] : [user])].map(readSettings));
  return new Map([...files.flatMap((lines) => parseNpmrc(lines, env)), ...own]);
}

/** `npm_config_https_proxy` is `https-proxy`; case and the two ways to write a dash do not matter to npm. */
function environmentConfig(env: NodeJS.ProcessEnv): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (!/^npm_config_/i.test(name) || value === undefined || value === "") continue;
    const key = name.slice("npm_config_".length);
    found.set(key.startsWith("//") || key.startsWith("@") ? key : key.toLowerCase().replaceAll("_", "-"), value);
  }
  return found;
}

async function readSettings(path: string): Promise<string[]> {
  // A file that is not there or not ours to read has no settings, as for npm.
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split(/\r?\n/);
}

function parseNpmrc(lines: readonly string[], env: NodeJS.ProcessEnv): [string, string][] {
  return lines.flatMap((line): [string, string][] => {
    const [, name, value] = /^\s*([^;#=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const plain = /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
    return [[name, plain.replace(/\$\{([^}]+)\}/g, (whole, variable: string) => env[variable] ?? whole)]];
  });
}
