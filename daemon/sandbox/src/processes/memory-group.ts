import { chown, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@muster/core";
import { Failure } from "@muster/schema/wire";

/** A group of the kernel in which processes share a limit of memory. */
export interface MemoryGroup {
  /** Starts a command inside the group. */
  wrap(command: string, args: readonly string[]): { command: string; args: string[] };
}

interface Place {
  /** Where groups are made. */
  readonly folder: string;
  readonly limitFile: string;
}

/** Makes the group; throws where the kernel or our rights allow none. */
export async function makeMemoryGroup(
  mark: string,
  bytes: number,
  user: { uid: number; gid: number } | undefined,
): Promise<MemoryGroup> {
  try {
    const { folder, limitFile } = await ownPlace();
    const group = join(folder, nameOf(mark));
    await mkdir(group);
    await writeFile(join(group, limitFile), String(bytes)).catch(async (error: unknown) => {
      await rmdir(group).catch(() => {});
      throw error;
    });
    const members = join(group, "cgroup.procs");
    if (user !== undefined) await chown(members, user.uid, user.gid);
    return {
      wrap: (command, args) => ({
        command: "/bin/sh",
        args: ["-c", 'echo 0 > "$0" && exec "$@"', members, command, ...args],
      }),
    };
  } catch (error) {
    throw new Failure(
      "memory_limit_unavailable",
      `No group of processes with a limit of memory can be made here: ${messageOf(error)}`,
    );
  }
}

/** After the last process of the group has ended. */
export async function removeMemoryGroup(mark: string): Promise<void> {
  // There may be none, and the kernel removes one with members no sooner.
  await ownPlace().then(
    ({ folder }) => rmdir(join(folder, nameOf(mark))).catch(() => {}),
    () => {},
  );
}

function nameOf(mark: string): string {
  return `muster-${mark}`;
}

/** The group of this process, in the newer (v2) or the older hierarchy. */
async function ownPlace(): Promise<Place> {
  const lines = (await readFile("/proc/self/cgroup", "utf8")).trim().split("\n");
  for (const line of lines) {
    const [, kinds = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (kinds.split(",").includes("memory")) {
      return { folder: join("/sys/fs/cgroup/memory", path), limitFile: "memory.limit_in_bytes" };
    }
  }
  const path = /^0::(.*)$/m.exec(lines.join("\n"))?.[1] ?? "/";
  return { folder: join("/sys/fs/cgroup", path), limitFile: "memory.max" };
}
