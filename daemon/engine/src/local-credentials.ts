import { agents, discoveryHost } from "@muster/adapters";

/** What an agent on this machine would use for a provider, with its secret. For the person at this machine only. */
export interface LocalCredential {
  agent: string;
  provider: string;
  kind: "api_key" | "oauth";
  source: string;
  secret: string;
  /** The variable that hands it to an agent elsewhere; absent when there is none. */
  variable?: string;
}

export async function localCredentials(env: NodeJS.ProcessEnv, home: string): Promise<LocalCredential[]> {
  const lists = await Promise.all(
    Object.entries(agents).map(async ([agent, { credentials: own }]) => {
      const { credentials } = await own.discover(discoveryHost({ env, home }));
      const used = credentials.filter(
        ({ provider }, at) => credentials.findIndex((one) => one.provider === provider) === at,
      );
      return used.map(({ provider, kind, source, secret, variable }) => ({
        agent,
        provider,
        kind,
        source,
        secret,
        variable,
      }));
    }),
  );
  return lists.flat();
}
