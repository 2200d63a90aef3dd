// Installs one version of OpenCode, once or until it is killed, and tells each result as a line.
// Arguments: data directory, registry, version, "once" or "forever".
import { agents } from "@muster/adapters";

const [dataDirectory, registry, version, times] = process.argv.slice(2);
const host = {
  env: { PATH: process.env.PATH, npm_config_registry: registry },
  home: dataDirectory,
  dataDirectory,
  livesDirectory: dataDirectory,
  log: () => {},
  install: { platform: "linux-x64", sources: { opencode: [{ kind: "npm" }] } },
};
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
tell("ready");
do {
  tell(await agents.opencode.install(host, { version, reinstall: true }).catch((error) => error.toProblem()));
} while (times === "forever");
