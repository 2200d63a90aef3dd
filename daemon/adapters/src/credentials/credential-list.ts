import type { CredentialInfo } from "@muster/schema";
import type { AgentCredentials, DiscoveryHost } from "./discovery.ts";

/** What each agent would use for each provider, without the secrets. */
export async function listCredentials(
  agents: Readonly<Record<string, { credentials: AgentCredentials }>>,
  host: DiscoveryHost,
): Promise<CredentialInfo[]> {
  const lists = await Promise.all(
    Object.entries(agents).map(([agent, { credentials }]) => linesOf(agent, credentials, host)),
  );
  return lists.flat();
}

/** Every secret that could be found on this machine now, for keeping them out of diagnostics. */
export async function findSecrets(
  agents: Readonly<Record<string, { credentials: AgentCredentials }>>,
  host: DiscoveryHost,
): Promise<string[]> {
  const files: string[] = [];
  const readFile = async (path: string) => {
    const text = await host.readFile(path);
    files.push(text);
    return text;
  };
  const machine = { ...host, readFile };
  const found = await Promise.all(Object.values(agents).map(({ credentials }) => credentials.discover(machine)));
  const used = found.flatMap(({ credentials }) => credentials.map(({ secret }) => secret));
  return [...new Set([...used, ...files.flatMap(secretsInFile)])];
}

/** A login holds more than the token that is used: what renews it, who it is for. */
function secretsInFile(text: string): string[] {
  try {
    const secrets: string[] = [];
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === "string" && /token|key|secret|refresh|access|passw|jwt|cookie/i.test(name))
        secrets.push(value);
      return value;
    });
    return secrets;
  } catch {
    // Discovery has said what is wrong with it.
    return [];
  }
}

async function linesOf(agent: string, own: AgentCredentials, host: DiscoveryHost): Promise<CredentialInfo[]> {
  const { credentials, skipped } = await own.discover(host);
  const providers = new Set([...own.providers, ...[...credentials, ...skipped].map(({ provider }) => provider)]);
  return [...providers].map((provider) => {
    const found = credentials.find((credential) => credential.provider === provider);
    const reasons = skipped.filter((entry) => entry.provider === provider).map(({ reason }) => reason);
    return {
      agent,
      provider,
      found: found !== undefined,
      source: found?.source,
      kind: found?.kind,
      note: reasons.length > 0 ? `skipped ${reasons.join("; ")}` : undefined,
    };
  });
}
