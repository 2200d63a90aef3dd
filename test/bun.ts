import { join } from "node:path";
import { ifReachable, packageOfRegistry } from "./registry-package.ts";

/** bun, or the reason why there is none. */
export async function bunProgram(): Promise<{ program: string } | { reason: string }> {
  if (process.platform !== "linux" || process.arch !== "x64") return { reason: "bun is fetched for Linux on x64 only" };
  const folder = await ifReachable("bun", packageOfRegistry("@oven/bun-linux-x64@1.4.4"));
  return folder === undefined ? { reason: "bun could not be fetched" } : { program: join(folder, "bin/bun") };
}
