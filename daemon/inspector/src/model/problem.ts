import { messageOf } from "@muster/core";

/** Why something was not done, as it stands beside what was tried. */
export interface Problem {
  text: string;
  /** Of the daemon's problem; absent where nobody answered. */
  code?: string;
  /** The field of the request that is wrong, where one is named. */
  field?: string;
}

export function problemOf(error: unknown): Problem {
  const { code, fields = {} } = error as { code?: unknown; fields?: Record<string, unknown> };
  const text = pageWords(messageOf(error));
  return typeof code === "string" ? { text, code, field: fieldOf(code, fields) } : { text };
}

/** What the daemon says for the command line, in the words of the page. */
export function pageWords(message: string): string {
  return message.replaceAll(/ ?\((?:--[\w-]+ on the command line)\)/g, "");
}

/** The one field a person can mend; undefined where the whole request is wrong. */
function fieldOf(code: string, fields: Record<string, unknown>): string | undefined {
  const [issue] = Array.isArray(fields.issues) ? (fields.issues as { path?: unknown }[]) : [];
  if (issue !== undefined) return nameOf(issue.path);
  if (typeof fields.option === "string") return fields.option;
  if (typeof fields.directory === "string") return "directory";
  if (code === "session_exists" || code === "session_deleted") return "sessionId";
  if (code === "unsupported_agent" || code === "install_failed") return "agent";
  return code === "unsupported_agent_version" ? "agentVersion" : undefined;
}

function nameOf(path: unknown): string | undefined {
  const [name] = Array.isArray(path) ? path : String(path ?? "").split(/[./]/);
  return typeof name === "string" && name !== "" ? name : undefined;
}
