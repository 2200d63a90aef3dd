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
import { ownProperty } from "./own-property.ts";

/** The agents of this machine: which there are, how they are installed, what they offer, with which credentials. */
export class Agents {
  readonly #host: AgentHost;

  constructor(host: AgentHost) {
    this.#host = host;
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

  install(id: string, request: InstallAgent, progress?: (step: InstallProgress) => void): Promise<InstalledAgent> {
    return this.#installable(id).install(this.#host, request, progress);
  }

  async uninstall(id: string, version?: string): Promise<UninstalledAgent> {
    return { removed: await this.#installable(id).uninstall(this.#host, version) };
  }

  models(id: string): Promise<Model[]> {
    return this.adapter(id).models(this.#host);
  }

  modes(id: string): Promise<Mode[]> {
    return this.adapter(id).modes(this.#host);
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

  /** An agent that can be looked up and installed, also one that cannot be driven yet. */
  #installable(id: string): Agent {
    return ownProperty(agents, id) ?? unknownAgent(id);
  }
}

function unknownAgent(agent: string): never {
  const known = Object.keys(adapters).join(", ");
  throw new Failure("unsupported_agent", `There is no agent ${agent}; there are: ${known}`, { agent });
}
