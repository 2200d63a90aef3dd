import type { CreateSession, McpServer, UpdateSession } from "@muster/schema";
import { isSecretName } from "../redaction.ts";

/** What is kept in memory only; a restart loses it and asks for it again by name. */
export interface Secrets {
  token?: string;
  env: Record<string, string>;
  mcp: Record<string, McpServer>;
}

/** What may be stored beside it: variables not named like secrets, MCP servers without headers and secret variables. */
export interface PlainSettings {
  env: Record<string, string>;
  mcp: Record<string, McpServer>;
}

export function splitSecrets({ token, env = {}, mcp = {} }: Pick<UpdateSession, "token" | "env" | "mcp">): {
  plain: PlainSettings;
  secrets: Secrets;
} {
  const [secretEnv, plainEnv] = partition(env, (name) => isSecretName(name));
  const [secretMcp, plainMcp] = partition(mcp, (_, server) => serverSecrets(server).length > 0);
  return { plain: { env: plainEnv, mcp: plainMcp }, secrets: { token, env: secretEnv, mcp: secretMcp } };
}

export function mergeSecrets(old: Secrets, added: Secrets): Secrets {
  return { token: added.token ?? old.token, env: { ...old.env, ...added.env }, mcp: { ...old.mcp, ...added.mcp } };
}

export function secretNames({ token, env, mcp }: Secrets): string[] {
  return [
    ...(token === undefined ? [] : ["token"]),
    ...Object.keys(env).map((name) => `env.${name}`),
    ...Object.keys(mcp).map((name) => `mcp.${name}`),
  ];
}

/** Every value that must not appear in diagnostics. */
export function secretValues({ token, env, mcp }: Secrets): string[] {
  return [...(token === undefined ? [] : [token]), ...Object.values(env), ...Object.values(mcp).flatMap(serverSecrets)];
}

/** The settings of a request without what is secret in them, for comparing two requests. */
export function withoutSecrets(body: CreateSession): unknown {
  const { plain, secrets } = splitSecrets(body);
  const { token: _, validateToken: __, ...rest } = body;
  return { ...rest, ...plain, secretNames: secretNames(secrets).sort() };
}

function serverSecrets(server: McpServer): string[] {
  if ("url" in server) return Object.values(server.headers ?? {});
  return Object.entries(server.env ?? {}).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
}

function partition<T>(record: Record<string, T>, test: (name: string, value: T) => boolean) {
  const entries = Object.entries(record);
  const yes = entries.filter(([name, value]) => test(name, value));
  const no = entries.filter(([name, value]) => !test(name, value));
  return [Object.fromEntries(yes), Object.fromEntries(no)] as const;
}
