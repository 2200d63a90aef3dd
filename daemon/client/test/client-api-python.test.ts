import { spawnSync } from "node:child_process";
import { clientApiSuite } from "@muster/conformance";
import { describe } from "vitest";
import { withPython } from "./client-world.ts";

const asked = "import sys; sys.exit(sys.version_info < (3, 9))";
const isMissing = spawnSync("python3", ["-c", asked]).status !== 0;
if (isMissing)
  process.stderr.write("The suite of all clients leaves out Python: there is no python3 of 3.9 or newer\n");

describe.skipIf(isMissing)("Python", () => clientApiSuite(withPython("sync"), { network: true }));
describe.skipIf(isMissing)("Python with asyncio", () => clientApiSuite(withPython("asyncio"), { network: true }));
