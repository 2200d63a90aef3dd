/** `npm start`: prepares the clone and becomes the daemon; arguments after `--` go to it. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare();
process.argv[1] = join(root, "node_modules/.bin/sandbox-daemon");
createRequire(import.meta.url)("../daemon/cli/bin/sandbox-daemon.cjs");
