import { join } from "node:path";
import { packageOfRegistry } from "./registry-package.ts";

/** Node 24 for what needs it: this one, or the one of the npm registry, unpacked once per machine and never installed. */
export async function newerNode(): Promise<string> {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  return join(await packageOfRegistry(`node-${process.platform}-${process.arch}@24.21.0`), "bin/node");
}
