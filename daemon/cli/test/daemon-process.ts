import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCommand } from "./start-command.ts";

/** Starts the real daemon as a process and resolves when it has said where it listens. */
export async function startDaemonProcess(args: string[], env: Record<string, string> = {}) {
  const { child, err, exit } = startCommand(args, env);
  let greeting = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      greeting += chunk;
      const [, found] = /listens on (http:\S+)\n[\s\S]*try: .*\n/.exec(greeting) ?? [];
      if (found !== undefined) resolve(found);
    });
    void Promise.all([exit, err]).then(([{ code }, text]) =>
      reject(new Error(`the daemon ended with ${code}: ${text}`)),
    );
  });
  return {
    url,
    greeting,
    child,
    err,
    exit,
    async stop() {
      child.kill("SIGTERM");
      return await exit;
    },
  };
}

export async function temporaryFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "muster-cli-")));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
