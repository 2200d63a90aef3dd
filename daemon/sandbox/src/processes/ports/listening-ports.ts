import { readdir, readFile, readlink } from "node:fs/promises";
import type { ProcessPort } from "@muster/schema/wire";

const listening = "0A";

/** The ports on which these processes listen; none where there is no /proc. */
export async function listeningPorts(pids: readonly number[]): Promise<ProcessPort[]> {
  const owners = new Map<string, number>();
  for (const pid of pids) for (const inode of await socketsOf(pid)) owners.set(inode, pid);
  const found = new Map<string, ProcessPort>();
  for (const pid of pids.slice(0, 1)) {
    for (const table of ["tcp", "tcp6"]) {
      // Of their own network, should it be another than the daemon's.
      const text = await readFile(`/proc/${pid}/net/${table}`, "utf8").catch(() => "");
      for (const line of text.split("\n").slice(1)) {
        const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
        const owner = owners.get(inode);
        if (state !== listening || owner === undefined) continue;
        const [host = "", port = ""] = local.split(":");
        const entry = { port: Number.parseInt(port, 16), address: addressOf(host), pid: owner };
        found.set(`${entry.port} ${entry.address}`, entry);
      }
    }
  }
  return [...found.values()].sort((a, b) => a.port - b.port);
}

async function socketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  // It may have ended meanwhile.
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** As the kernel writes it: words of four bytes, each from its last byte to its first. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
  const groups = (bytes.join("").match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16));
  return groups.join(":").replace(/(^|:)0(:0)+(:|$)/, "::");
}
