/** `npm run dev`: builds whatever changes, and restarts the daemon with it; arguments after `--` go to the daemon. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";
import { packagesOf } from "./streets.mjs";

/** An editor that saves writes several times. */
const settleMs = 100;

prepare();
let daemon = start();
let timer;
let building = Promise.resolve();
for (const folder of packagesOf()
  .map((name) => join(root, name, "src"))
  .filter(existsSync)) {
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(buildAndRestart);
    }, settleMs);
  });
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}

/** What does not compile leaves the daemon as it is. */
async function buildAndRestart() {
  process.stderr.write("muster: building\n");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  if (spawnSync(process.execPath, [compiler, "-b"], { cwd: root, stdio: "inherit" }).status !== 0) return;
  await stop();
  daemon = start();
}

/** Not from the bundle, which starts faster and takes longer to make: `npm run build` makes it. */
function start() {
  const args = [join(root, "daemon/cli/dist/main.js"), ...process.argv.slice(2)];
  return spawn(process.execPath, args, { stdio: "inherit" });
}

async function stop() {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exited = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await exited;
}
