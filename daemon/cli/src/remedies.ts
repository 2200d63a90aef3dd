import type { ConnectionFailure } from "@muster/client";
import type { Failure, ProblemCode } from "@muster/schema";
import { isLoopback } from "./environment/loopback.ts";
import { optionWords } from "./fields/option-words.ts";

/** What a problem says to somebody at a command line: the daemon speaks of requests, we of commands and options. */
export function commandWords(failure: Failure): string {
  const { message, fields } = failure;
  const id = typeof fields.sessionId === "string" ? fields.sessionId : "<sessionId>";
  return remedies[failure.code]?.(message, id, fields) ?? optionWords(message);
}

type Remedy = (message: string, sessionId: string, fields: Record<string, unknown>) => string;

const remedies: { readonly [Code in ProblemCode]?: Remedy } = {
  unauthorized: () =>
    "the daemon wants another token: --token, SANDBOX_DAEMON_TOKEN, or the file `token` in its data directory",
  credentials_required: (_, id, { names }) => {
    const lost = Array.isArray(names) ? names.map(String) : [];
    const options = lost.map((name) => secretOptions[name.split(/[.:]/)[0] ?? ""] ?? "--body @file");
    const given = [...new Set(options.length > 0 ? options : ["--agent-token-file …"])].join(" ");
    return `the daemon was restarted and keeps no secrets (${lost.join(", ")}); give them again: sandbox-daemon sessions update ${id} ${given}`;
  },
  session_deleted: (message, id, { status }) =>
    status === 409 || message.includes("reuse")
      ? `the session ${id} was deleted; --reuse takes its id again`
      : `the session ${id} was deleted`,
  session_exists: (message, id) => `${message}; take another id, or first: sandbox-daemon sessions delete ${id}`,
  agent_in_use: (message) => `${message}: sandbox-daemon sessions terminate <sessionId>`,
};

/** Secret → the option that gives it again. */
const secretOptions: Readonly<Record<string, string>> = {
  token: "--agent-token-file …",
  env: "--env …",
  mcp: "--mcp …",
};

/** Nothing listens: how to begin. */
export function connectionWords({ message, endpoint }: ConnectionFailure): string {
  if (message.endsWith("bad port")) {
    return `${message.slice(0, -"bad port".length)}no program may call that port, because other protocols use it; take another`;
  }
  const isMissing = message.includes("ECONNREFUSED") && isLoopback(endpoint);
  return isMissing ? `${message}; start it with: sandbox-daemon` : message;
}
