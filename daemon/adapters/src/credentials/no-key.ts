import { AgentStartFailure } from "../adapter.ts";

export interface KeyPlaces {
  /** Whose key it is. */
  agent: string;
  variable: string;
  /** The command that logs in. */
  login: string;
}

/** No key was found: which variable, which option, which login would give one. The same words for every agent. */
export function noKeyFailure({ agent, variable, login }: KeyPlaces): AgentStartFailure {
  const message =
    `No key for ${agent} was found: set ${variable} in the daemon's environment, give the session a token ` +
    `(--agent-token-file on the command line), or log in with \`${login}\``;
  return new AgentStartFailure("token_error", message, { variable, login });
}
