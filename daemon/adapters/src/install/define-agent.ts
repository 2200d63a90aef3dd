import type { Adapter, Agent } from "../adapter.ts";
import { type AgentCredentials, discoveryHost } from "../credentials/discovery.ts";

/**
 * An agent that can be installed and not be driven yet. Here and in every agent's index: what drives and installs is
 * imported when it is used, because every start pays for what stands at the top.
 */
export function defineAgent({ release, credentials }: Pick<Agent, "release" | "credentials">): Agent {
  const { id, name } = release;
  return {
    id,
    name,
    release,
    credentials,
    async info(host) {
      const [{ findInstalled }, { isDriven }] = await Promise.all([
        import("./installed/find-installed.ts"),
        import("./release/driven-version.ts"),
      ]);
      const found = await findInstalled(host, release, { trusting: true });
      const where = found && { version: found.version, path: found.path, source: found.source };
      const supported = found && isDriven(release, found.version);
      const credentialsAvailable = await hasCredentials(credentials, discoveryHost(host));
      return { id, name, installed: found !== undefined, ...where, supported, credentialsAvailable };
    },
    async install(host, request, progress) {
      const { ensureInstalled } = await import("./installer.ts");
      return ensureInstalled(host, release, request, progress);
    },
    async uninstall(host, version) {
      const { uninstall } = await import("./installer.ts");
      return uninstall(host, release, version);
    },
  };
}

type Driver = Omit<Adapter, "id" | "name" | "info" | "install" | "uninstall" | "live">;

/** An agent that can be driven: what is its own; the rest follows from its release. */
export function defineAdapter(driver: Driver): Adapter {
  const agent = defineAgent(driver);
  const { capabilities } = driver;
  return {
    ...agent,
    ...driver,
    live: new Set(capabilities.live),
    async info(host) {
      const serverStatus = capabilities.sharedServer ? host.servers.status(agent.id) : undefined;
      return { ...(await agent.info(host)), capabilities, serverStatus };
    },
  };
}

export function adaptersOf(agents: Readonly<Record<string, Agent | Adapter>>): Readonly<Record<string, Adapter>> {
  const driven = Object.entries(agents).filter((entry): entry is [string, Adapter] => "open" in entry[1]);
  return Object.fromEntries(driven);
}

/** An agent without providers needs no key. */
async function hasCredentials(own: AgentCredentials, host: Parameters<AgentCredentials["discover"]>[0]) {
  if (own.providers.length === 0) return true;
  return (await own.discover(host)).credentials.length > 0;
}
