import { quoteForShell } from "@muster/core";
import type { Daemon } from "@muster/server";

/** The lines a daemon starts with: its URL, where the token is, the link of the page, and a command to try that works as it stands. */
export function greeting({ url, token, tokenFile, tokenIsNew, pageLink }: Greeted, directory?: string): string {
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
  const once = token === undefined ? "" : " (once, within 10 minutes)";
  lines.splice(-1, 0, `look:  ${pageLink()}${once}`);
  if (directory !== undefined) lines.splice(-1, 0, `agents work in ${directory}, unless a session says otherwise`);
  return `${lines.join("\n")}\n`;
}

type Greeted = Pick<Daemon, "url" | "token" | "tokenFile" | "tokenIsNew" | "pageLink">;

/** A path as one word of a shell, also inside `$(…)`. */
function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : quoteForShell(path);
}
