import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, parseJson } from "@muster/core";

/** A key or token that was found on this machine. Holds the secret: never logged, never part of an answer. */
export interface Credential {
  provider: string;
  kind: "api_key" | "oauth";
  /** Where it was found: a variable, or a file and its field. */
  source: string;
  secret: string;
  /** The variable by which an agent takes it; absent when there is none. */
  variable?: string;
  /** The agent's own login: it reads and refreshes it itself, and nothing is passed to it. */
  ownLogin?: boolean;
}

export interface Discovery {
  /** In the order of the agent's rules; the first of a provider is the one that is used. */
  credentials: Credential[];
  /** What was there and could not be used, and why. Without secrets. */
  skipped: { provider: string; reason: string }[];
}

/** What discovery looks at. */
export interface DiscoveryHost {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  readFile(path: string): Promise<string>;
  now: number;
}

/** Where one agent's credentials are found. */
export interface AgentCredentials {
  /** Whom the agent may need a key for. */
  readonly providers: readonly string[];
  discover(host: DiscoveryHost): Promise<Discovery>;
  /** Whose key a token given to a session is; undefined where nobody can be asked. */
  providerOf(session: {
    model?: string | undefined;
    token?: string | undefined;
    agentOptions?: Readonly<Record<string, unknown>> | undefined;
  }): string | undefined;
}

export function discoveryHost({ env, home }: { env: NodeJS.ProcessEnv; home: string }): DiscoveryHost {
  return { env, home, readFile: (path) => readFile(path, "utf8"), now: Date.now() };
}

/** Collects in order what the rules of an agent find. */
export class Findings implements Discovery {
  readonly credentials: Credential[] = [];
  readonly skipped: Discovery["skipped"] = [];
  readonly #host: DiscoveryHost;

  constructor(host: DiscoveryHost) {
    this.#host = host;
  }

  add(credential: Credential): void {
    this.credentials.push(credential);
  }

  skip(provider: string, reason: string): void {
    this.skipped.push({ provider, reason });
  }

  /** A variable of the daemon's environment; empty counts as missing. */
  variable(name: string, found: Pick<Credential, "provider" | "kind"> & { variable?: string; prefix?: string }): void {
    const secret = this.#host.env[name]?.trim();
    if (!secret) return;
    const { provider, kind, variable = name, prefix = "" } = found;
    const source = `environment ${name}`;
    if (secret.startsWith(prefix)) this.add({ provider, kind, source, secret, variable });
    else this.skip(provider, `${source}: does not start with ${prefix}`);
  }

  /** The object in a JSON file; undefined when there is none, or none that can be read, which is noted. */
  async json(provider: string, path: string): Promise<Record<string, unknown> | undefined> {
    const shown = this.shown(path);
    let text: string;
    try {
      text = await this.#host.readFile(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR") this.skip(provider, `${shown}: cannot be read (${code})`);
      return undefined;
    }
    const value = parseJson(text);
    if (isRecord(value)) return value;
    this.skip(provider, `${shown}: is not a JSON object`);
    return undefined;
  }

  /** A path as people write it. */
  shown(path: string): string {
    const { home } = this.#host;
    return path.startsWith(join(home, "/")) ? `~${path.slice(home.length)}` : path;
  }
}

/** Milliseconds since 1970, seconds, or an ISO time; what is none of these does not expire. */
export function isExpired(expiresAt: unknown, now: number): boolean {
  const number = typeof expiresAt === "string" ? Date.parse(expiresAt) : expiresAt;
  if (typeof number !== "number" || Number.isNaN(number)) return false;
  // No token of our century expires before 1973, which is what milliseconds below this would say.
  return (number < 100_000_000_000 ? number * 1000 : number) <= now;
}

/** A string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
