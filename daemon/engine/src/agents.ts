import type { Adapter, Agent, AgentHost, InstallProgress } from "@muster/adapters";
import { adapters, agents, checkToken, discoveryHost, findSecrets, listCredentials } from "@muster/adapters";
import {
  type AgentInfo,
  type CreateSession,
  type CredentialInfo,
  Failure,
  type InstallAgent,
  type InstalledAgent,
  type Mode,
  type Model,
  type UninstalledAgent,
} from "@muster/schema/wire";
import type { Meter } from "./counters.ts";
import { ownProperty } from "./own-property.ts";

/** The agents of this machine: which there are, how they are installed, what they offer, with which credentials. */
export class Agents {
  readonly #host: AgentHost;
  readonly #prepareGateway: () => Promise<void>;
  readonly #meter: Meter | undefined;

  /** `prepareGateway` resolves when the gateway listens, where there is one. */
  constructor(host: AgentHost, prepareGateway: () => Promise<void>, meter?: Meter) {
    this.#host = host;
    this.#prepareGateway = prepareGateway;
    this.#meter = meter;
  }

  /** Every secret that agents would find on the machine, so that none of them is ever shown. */
  static secrets(machine: Pick<AgentHost, "env" | "home">): Promise<string[]> {
    return findSecrets(agents, discoveryHost(machine));
  }

  get ids(): string[] {
    return Object.keys(adapters);
  }

  list(): Promise<AgentInfo[]> {
    return Promise.all(Object.values(agents).map((agent) => agent.info(this.#host)));
  }

  info(id: string): Promise<AgentInfo> {
    return this.#installable(id).info(this.#host);
  }

  async install(
    id: string,
    request: InstallAgent,
    progress?: (step: InstallProgress) => void,
  ): Promise<InstalledAgent> {
    const agent = this.#installable(id);
    const startedMs = performance.now();
    const measure = (outcome: "installed" | "found" | "failed") =>
      this.#meter?.measure("installSeconds", { agent: id, outcome }, (performance.now() - startedMs) / 1_000);
    try {
      const installed = await agent.install(this.#host, request, progress);
      measure(installed.alreadyInstalled ? "found" : "installed");
      return installed;
    } catch (error) {
      measure("failed");
      throw error;
    }
  }

  async uninstall(id: string, version?: string): Promise<UninstalledAgent> {
    return { removed: await this.#installable(id).uninstall(this.#host, version) };
  }

  async models(id: string): Promise<Model[]> {
    return await (await this.#prepared(id)).models(this.#host);
  }

  async modes(id: string): Promise<Mode[]> {
    return await (await this.#prepared(id)).modes(this.#host);
  }

  credentials(): Promise<CredentialInfo[]> {
    return listCredentials(agents, discoveryHost(this.#host));
  }

  /** Asks the provider whether it takes the token a session is to be created with. */
  async checkToken(body: CreateSession): ReturnType<typeof checkToken> {
    const credentials = ownProperty(agents, body.agent)?.credentials;
    return credentials ? await checkToken(this.#host, credentials, body) : "unknown";
  }

  /** An agent that can be driven. */
  adapter(id: string): Adapter {
    return ownProperty(adapters, id) ?? unknownAgent(id);
  }

  /** An agent that may be started for its answer, and then with placeholders as for a session. */
  async #prepared(id: string): Promise<Adapter> {
    const adapter = this.adapter(id);
    if (adapter.capabilities.gateway) await this.#prepareGateway();
    return adapter;
  }

  /** An agent that can be looked up and installed, also one that cannot be driven yet. */
  #installable(id: string): Agent {
    return ownProperty(agents, id) ?? unknownAgent(id);
  }
}

function unknownAgent(agent: string): never {
  const known = Object.keys(adapters).join(", ");
  throw new Failure("unsupported_agent", `There is no agent ${agent}; there are: ${known}`, { agent });
}
