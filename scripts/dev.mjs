/** `npm run dev`: builds whatever changes, and restarts the daemon with it; arguments after `--` go to the daemon. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare();
const programs = [
  [join(root, "node_modules/typescript/bin/tsc"), "-b", "--watch", "--preserveWatchOutput"],
  // Node restarts what imports a changed file. The bundle, which starts faster, is made by npm run build.
  ["--watch", "--watch-preserve-output", join(root, "daemon/cli/dist/main.js"), ...process.argv.slice(2)],
];
const running = programs.map((args) => spawn(process.execPath, args, { cwd: root, stdio: "inherit" }));
for (const child of running) child.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);

function end() {
  for (const child of running) child.kill("SIGTERM");
}
