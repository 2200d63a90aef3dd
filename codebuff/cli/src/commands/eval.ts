import { spawn } from "node:child_process";
import { once } from "node:events";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** Starts muster-eval with the words as they stand: tasks are tried through the daemon, which this command knows nothing of. */
export async function evaluate(words: readonly string[], { env, cwd }: Io): Promise<number> {
  const program = env.MUSTER_EVAL || "muster-eval";
  const child = spawn(program, words, { cwd, env, stdio: "inherit" });
  const [code] = await once(child, "exit").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new CommandError(`there is no ${program}: install @muster/muster-eval, or say where it is with MUSTER_EVAL`);
  });
  return typeof code === "number" ? code : exitCodes.interrupted;
}
