import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import path from "node:path";
import { systemPath } from "./past-session.ts";

const gibibyte = 1024 ** 3;

/** Memory of one process: three quarters of the machine's; processes and open files: more than a build has. */
export const limitWords = ((): string => {
  const program = systemPath.map((directory) => path.join(directory, "prlimit")).find((one) => existsSync(one));
  if (program === undefined) return "";
  const bytes = Math.floor(Math.max(2 * gibibyte, totalmem() * 0.75));
  return `${program} --core=0 --nproc=4096 --nofile=16384 --data=${bytes}`;
})();

/** Of the private /tmp, which lies in memory. */
export const tmpSize = `${Math.floor(Math.min(2 * gibibyte, totalmem() / 4) / 1024)}k`;
