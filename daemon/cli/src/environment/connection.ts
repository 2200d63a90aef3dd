import { type Client, type ClientOptions, createClient } from "@muster/client";
import { messageOf } from "@muster/core";
import type { Operation } from "@muster/schema";
import { dataDirectoryOf, defaultHost, defaultPort } from "../default-places.ts";
import type { CommandEnvironment } from "./command-environment.ts";
import { UsageError } from "./exit.ts";
import { endpointFile, readKept } from "./kept-files.ts";
import { isLoopback } from "./loopback.ts";

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
  return connectTo(endpointOf(options, environment), options, environment, {
    isPublic: operation.scope === "public",
    fetch,
  });
}

export function endpointOf({ endpoint }: ConnectionOptions, environment: CommandEnvironment): string {
  const given = endpoint ?? (environment.env.SANDBOX_DAEMON_ENDPOINT || undefined);
  return given ?? readKept(dataDirectoryOf(environment), endpointFile) ?? `http://${defaultHost}:${defaultPort}`;
}

export function connectTo(
  endpoint: string,
  options: ConnectionOptions,
  environment: CommandEnvironment,
  more: Pick<ClientOptions, "fetch" | "reconnect"> & { isPublic?: boolean; dataDirectory?: string } = {},
): Client {
  const given = options.token ?? (environment.env.SANDBOX_DAEMON_TOKEN || undefined);
  const isLocal = more.isPublic !== true && isLoopback(endpoint);
  const token = given ?? (isLocal ? readKept(more.dataDirectory ?? dataDirectoryOf(environment), "token") : undefined);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError("the token must be plain printable characters without spaces");
  }
  try {
    return createClient({ endpoint, token, fetch: more.fetch, reconnect: more.reconnect });
  } catch (error) {
    throw new UsageError(`--endpoint: ${messageOf(error)}`);
  }
}
