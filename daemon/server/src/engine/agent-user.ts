import { readFileSync } from "node:fs";
import type { AgentUser } from "@muster/engine";
import { Failure } from "@muster/schema/wire";

/**
 * The user agents run as, so that they cannot read the daemon's token or answer their own questions. Only root can start
 * processes of another user.
 */
export function agentUser(name: string, passwd = "/etc/passwd"): AgentUser {
  if (process.getuid?.() !== 0) throw new Failure("invalid_request", "--agent-user needs the daemon to run as root");
  const line = readFileSync(passwd, "utf8")
    .split("\n")
    .map((text) => text.split(":"))
    .find(([user]) => user === name);
  const [, , uid, gid, , home] = line ?? [];
  if (uid === undefined || gid === undefined || home === undefined) {
    throw new Failure("invalid_request", `There is no user ${name} on this machine`);
  }
  if (uid === "0") throw new Failure("invalid_request", `--agent-user ${name} is root, which separates nothing`);
  return { name, uid: Number(uid), gid: Number(gid), home };
}
