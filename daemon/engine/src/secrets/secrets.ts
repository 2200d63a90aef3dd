import type { CreateSession, MarkedSecret, McpServer, PlainMcpServer, UpdateSession } from "@muster/schema";
import { isSecret, partsOfSecret } from "./secret-names.ts";

/** What is kept in memory only; a restart loses it and asks for it again by name. */
export interface Secrets {
  token?: string;
  env: Record<string, string>;
  mcp: Record<string, PlainMcpServer>;
  /** What is secret in the MCP servers. */
  mcpValues: readonly string[];
}

/** What may be stored beside it: variables that are not secret, MCP servers with nothing secret in them. */
export interface PlainSettings {
  env: Record<string, string>;
  mcp: Record<string, PlainMcpServer>;
}

type Value = string | MarkedSecret;

export const noSecrets: Secrets = { env: {}, mcp: {}, mcpValues: [] };

export function splitSecrets({ token, env = {}, mcp = {} }: Pick<UpdateSession, "token" | "env" | "mcp">): {
  plain: PlainSettings;
  secrets: Secrets;
} {
  const [secretEnv, plainEnv] = partition(env, (name, value) => isMarked(value) || isSecret(name, value));
  const [secretMcp, plainMcp] = partition(mcp, (_, server) => serverSecrets(server).length > 0);
  return {
    plain: { env: mapValues(plainEnv, textOf), mcp: mapValues(plainMcp, plainServer) },
    secrets: {
      token,
      env: mapValues(secretEnv, textOf),
      mcp: mapValues(secretMcp, plainServer),
      mcpValues: Object.values(secretMcp).flatMap(serverSecrets),
    },
  };
}

export function mergeSecrets(old: Secrets, added: Secrets): Secrets {
  return {
    token: added.token ?? old.token,
    env: { ...old.env, ...added.env },
    mcp: { ...old.mcp, ...added.mcp },
    mcpValues: [...old.mcpValues, ...added.mcpValues],
  };
}

export function secretNames({ token, env, mcp }: Secrets): string[] {
  return [
    ...(token === undefined ? [] : ["token"]),
    ...Object.keys(env).map((name) => `env.${name}`),
    ...Object.keys(mcp).map((name) => `mcp.${name}`),
  ];
}

/** Every value that must not appear in diagnostics. */
export function secretValues({ token, env, mcpValues }: Secrets): string[] {
  return [...(token === undefined ? [] : [token]), ...Object.values(env).flatMap(partsOfSecret), ...mcpValues];
}

/** The settings of a request without what is secret in them, for comparing two requests. */
export function withoutSecrets(body: CreateSession): object {
  const { plain, secrets } = splitSecrets(body);
  const { token: _, validateToken: __, ...rest } = body;
  return { ...rest, ...plain, secretNames: secretNames(secrets).sort() };
}

function serverSecrets(server: McpServer): string[] {
  if ("url" in server) {
    const address = isMarked(server.url) || isSecret("", server.url) ? partsOfSecret(textOf(server.url)) : [];
    return [...address, ...Object.values(server.headers ?? {}).map(textOf)];
  }
  const { args = [], env = {} } = server;
  const variables = Object.entries(env).filter(([name, value]) => isMarked(value) || isSecret(name, value));
  const hidden = [
    ...args.filter((value) => isMarked(value) || isSecret("", value)),
    ...variables.map(([, one]) => one),
  ];
  return hidden.flatMap((value) => partsOfSecret(textOf(value)));
}

function plainServer(server: McpServer): PlainMcpServer {
  if ("url" in server) {
    return { url: textOf(server.url), headers: server.headers && mapValues(server.headers, textOf) };
  }
  return { command: server.command, args: server.args?.map(textOf), env: server.env && mapValues(server.env, textOf) };
}

function isMarked(value: Value): value is MarkedSecret {
  return typeof value !== "string";
}

function textOf(value: Value): string {
  return isMarked(value) ? value.value : value;
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function partition<T>(record: Record<string, T>, test: (name: string, value: T) => boolean) {
  const entries = Object.entries(record);
  const yes = entries.filter(([name, value]) => test(name, value));
  const no = entries.filter(([name, value]) => !test(name, value));
  return [Object.fromEntries(yes), Object.fromEntries(no)] as const;
}
