import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@muster/client";
import type { Operation } from "@muster/schema";
import type { CommandEnvironment } from "./command-environment.ts";
import { dataDirectoryOf, defaultHost, defaultPort } from "./default-places.ts";
import { UsageError } from "./exit.ts";

export interface ConnectionOptions {
  endpoint?: string;
  token?: string;
}

/** The client for one command: options first, then the environment, then what a daemon on this machine uses. */
export function connect(
  operation: Operation,
  options: ConnectionOptions,
  environment: CommandEnvironment,
  fetch?: typeof globalThis.fetch,
): Client {
  const { env } = environment;
  const endpoint = options.endpoint ?? (env.SANDBOX_DAEMON_ENDPOINT || `http://${defaultHost}:${defaultPort}`);
  const given = options.token ?? (env.SANDBOX_DAEMON_TOKEN || undefined);
  const token = given ?? (operation.public === true || !isLoopback(endpoint) ? undefined : readToken(environment));
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError("the token must be plain printable characters without spaces");
  }
  try {
    return createClient({ endpoint, token, fetch });
  } catch (error) {
    throw new UsageError(`--endpoint: ${error instanceof Error ? error.message : error}`);
  }
}

function isLoopback(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(endpoint).hostname);
}

function readToken(environment: CommandEnvironment): string | undefined {
  try {
    return readFileSync(join(dataDirectoryOf(environment), "token"), "utf8").trim() || undefined;
  } catch {
    // No daemon of this user has made a token here; the daemon's answer tells if one is needed.
    return undefined;
  }
}
