import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import type { AgentHost } from "../../host.ts";
import { ampCredentials } from "../credentials.ts";

/** The variables a process of Amp gets besides the allow-list of the host. Without a key it would ask for a login, and wait. */
export async function environmentOf(host: AgentHost, options: OpenOptions): Promise<Record<string, string>> {
  const { baseUrl = host.env.AMP_URL } = options;
  return {
    ...options.env,
    AMP_SKIP_UPDATE_CHECK: "1",
    ...(baseUrl === undefined ? {} : { AMP_URL: baseUrl }),
    ...(await credentialOf(host, options)),
  };
}

/** A key nobody has: it keeps a login of this machine from being sent to an endpoint the session named. */
const noKey = "none";

/** The session's key, that of the environment, or none where Amp has a login of its own. */
async function credentialOf(host: AgentHost, { token, baseUrl }: OpenOptions): Promise<Record<string, string>> {
  if (token !== undefined) return { AMP_API_KEY: token };
  if (baseUrl !== undefined) return { AMP_API_KEY: noKey };
  const { credentials } = await ampCredentials.discover(discoveryHost(host));
  const [first] = credentials;
  if (first === undefined) {
    throw noKeyFailure({ agent: "Amp", variable: "AMP_API_KEY", login: "amp login" });
  }
  return first.ownLogin ? {} : { AMP_API_KEY: first.secret };
}
