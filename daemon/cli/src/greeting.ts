import type { Daemon } from "@muster/server";

/** The lines a daemon starts with: its URL, where the token is, and a command to try that works as it stands. */
export function greeting({ url, token, tokenFile, tokenIsNew }: Greeted, directory?: string): string {
  const lines = [`sandbox-daemon listens on ${url}`];
  if (token === undefined) {
    lines.push("token: none needed", `try:   curl ${url}/agents`);
  } else if (tokenFile === undefined) {
    // A given token is neither stored nor shown, so the line to try is one that needs none.
    lines.push("token: the one that was given", `try:   curl ${url}/health`);
  } else {
    const file = quote(tokenFile);
    lines.push(`token: in ${tokenFile}`);
    if (tokenIsNew === true) lines.push(`       new, shown only this once: ${token}`);
    lines.push(`try:   curl -H "Authorization: Bearer $(cat ${file})" ${url}/agents`);
  }
  if (directory !== undefined) lines.splice(-1, 0, `agents work in ${directory}, unless a session says otherwise`);
  return `${lines.join("\n")}\n`;
}

type Greeted = Pick<Daemon, "url" | "token" | "tokenFile" | "tokenIsNew">;

/** A path as one word of a shell, also inside `$(…)`. */
function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
