/** `npm start`: prepares the clone and becomes the daemon; arguments after `--` go to it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

prepare();
process.argv[1] = join(root, "node_modules/.bin/sandbox-daemon");
await import(pathToFileURL(join(root, "daemon/cli/bin/sandbox-daemon.mjs")).href);
