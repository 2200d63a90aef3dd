import { isSecret } from "@muster/engine";
import { eraseVariables } from "@muster/node";

export interface HiddenKeys {
  /** The whole environment, as it was. */
  env: NodeJS.ProcessEnv;
  /** Whether /proc/<pid>/environ shows no secret any more. */
  isHidden: boolean;
}

/** Read from `process.env` by the library that exports traces. */
const needed = /^(OTEL_|NODE_)/;

/**
 * Takes the secrets out of the environment of this process: an agent that runs as the same user could read them at
 * /proc/<pid>/environ. What they were is in the copy that is given back, and nowhere else.
 */
export function hideKeys(own: NodeJS.ProcessEnv): HiddenKeys {
  const env = { ...own };
  // An environment that somebody made up is not shown by the kernel.
  if (own !== process.env) return { env, isHidden: false };
  const names = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecret(name, value) && !needed.test(name) ? [name] : [],
  );
  return { env, isHidden: names.length === 0 || eraseVariables(new Set(names)) };
}

/** Whether this system lets a daemon do that. */
export function canHideKeys(): boolean {
  return eraseVariables(new Set());
}
