import { join } from "node:path";
import { packageOfRegistry } from "./registry-package.ts";

/** bun, or the reason why there is none. */
export async function bunProgram(): Promise<{ program: string } | { reason: string }> {
  if (process.platform !== "linux" || process.arch !== "x64") return { reason: "bun is fetched for Linux on x64 only" };
  try {
    return { program: join(await packageOfRegistry("@oven/bun-linux-x64@1.4.4"), "bin/bun") };
  } catch (error) {
    return { reason: `bun could not be fetched: ${error}` };
  }
}
