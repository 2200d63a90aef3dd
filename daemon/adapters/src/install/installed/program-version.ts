import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentHost } from "../../host.ts";
import { childEnvironment } from "../../process/child-environment.ts";
import { programOutput } from "../../process/program-output.ts";

/** Whose program it may be, and as whom it runs: never as root when agents do not. */
type Machine = Pick<AgentHost, "env" | "user">;

const answers = new Map<string, Promise<string>>();

/**
 * What a program says its version is; throws when it does not run. Asked once for each state of the file. A program of
 * the user's gets the user's home, since it may be a shim that looks there for the real one.
 */
export async function programVersion(machine: Machine, program: string, home?: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(program);
  const key = [program, ino, size, mtimeMs].join("\0");
  const known = answers.get(key) ?? askVersion(machine, program, home);
  answers.set(key, known);
  known.catch(() => answers.delete(key));
  return await known;
}

async function askVersion(machine: Machine, program: string, home: string | undefined): Promise<string> {
  // Agents leave traces in HOME and in the working directory even when only asked for their version.
  const folder = await mkdtemp(join(tmpdir(), "muster-version-"));
  try {
    const { env, user } = machine;
    if (user) await chown(folder, user.uid, user.gid);
    const text = await programOutput(program, ["--version"], {
      cwd: folder,
      env: childEnvironment(env, { HOME: home ?? folder }, "version"),
      uid: user?.uid,
      gid: user?.gid,
    });
    const [version] = /\d+\.\d+\.\d+[0-9A-Za-z.+-]*/.exec(text) ?? [];
    if (version !== undefined) return version;
    throw new Error(`${program} --version does not name a version: ${text.slice(0, 200)}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
