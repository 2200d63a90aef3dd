import { untilAborted } from "@muster/core";
import type { OpenOptions } from "../../adapter.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import type { Lease } from "../../shared-server/shared-servers.ts";
import { opencodeRelease } from "../release.ts";
import { type Accesses, type AccessPlan, planAccess } from "./access.ts";
import { configurationOf } from "./configuration.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { environmentOf, secretNames } from "./environment.ts";
import { type OpencodeServer, startServer } from "./server.ts";
import { shellWithoutSecrets } from "./shell-without-secrets.ts";

interface LeasedServer {
  lease: Lease<OpencodeServer>;
  version: string;
  /** Who holds which key; absent where the server has the keys themselves. */
  accesses: Accesses | undefined;
  dialect: Dialect;
}

/** The server of this version, key, environment and configuration, started if there is none. */
export async function leaseServer(host: AgentHost, options: OpenOptions): Promise<LeasedServer> {
  const { path: program, version } = await sessionProgram(host, opencodeRelease, options);
  const { token, baseUrl, model, signal } = options;
  const plan = await planAccess(host, options);
  const dialect = dialectOf(version, options);
  const { env, configuration } = await settingsOf(host, options, { dialect, accesses: plan?.outline });
  const providerId = token === undefined && baseUrl === undefined ? undefined : model?.split("/")[0];
  const keys = plan && JSON.stringify([...plan.outline].map(([name, { identity }]) => [name, identity]));
  const endpoint = plan === undefined ? { baseUrl, credential: token } : { credential: keys };
  const identity = { agent: "opencode", version, home: host.home, providerId, ...endpoint, env, configuration };
  const lease = host.servers.lease(identity, () => start(host, options, { program, plan, dialect }));
  return {
    lease: await untilAborted(lease, signal, (late) => late.release()),
    version,
    accesses: plan?.outline,
    dialect,
  };
}

async function start(
  host: AgentHost,
  options: OpenOptions,
  { program, plan, dialect }: { program: string; plan: AccessPlan | undefined; dialect: Dialect },
): Promise<OpencodeServer> {
  const held = plan?.hold();
  const release = () => held?.forEach((access) => void access.release());
  try {
    const { env, configuration } = await settingsOf(host, options, { dialect, accesses: held });
    const content = { OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration) };
    const directory = await agentFolder(host, "opencode");
    const { connect, protocol } = dialect;
    const server = await startServer(host, { program, directory, env: { ...env, ...content }, connect, protocol });
    void server.exited.then(release, release);
    return server;
  } catch (error) {
    release();
    throw error;
  }
}

async function settingsOf(
  host: AgentHost,
  options: OpenOptions,
  { dialect, accesses }: { dialect: Dialect; accesses: Accesses | undefined },
) {
  const env = await environmentOf(host, options, accesses);
  const shell = await shellWithoutSecrets(host, secretNames(env, options.env));
  const first = configurationOf(options, shell, { operators: host.env, accesses });
  return { env, configuration: dialect.configuration(first, accesses) };
}
