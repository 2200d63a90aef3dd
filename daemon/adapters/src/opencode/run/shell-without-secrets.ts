import { createHash } from "node:crypto";
import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type AgentHost, agentFolder } from "../../host.ts";

/** Shells that OpenCode can drive; others it would replace by one of these. */
const usable = new Set(["bash", "zsh", "sh", "dash"]);

/**
 * A shell that does not know the given variables. OpenCode hands its whole environment to the commands it runs
 * (measured on 1.18.33), and with it the password of its server and the keys of the providers.
 */
export async function shellWithoutSecrets(host: AgentHost, secrets: readonly string[]): Promise<string> {
  const real = await realShell(host.env.SHELL);
  const text = `#!/bin/sh\nunset ${[...secrets].sort().join(" ")}\nexec '${real}' "$@"\n`;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const folder = join(await agentFolder(host, "opencode"), "shells", digest);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  // OpenCode tells shells apart by their name.
  const path = join(folder, basename(real));
  await writeFile(path, text, { mode: 0o755 });
  await chmod(path, 0o755);
  return path;
}

async function realShell(own: string | undefined): Promise<string> {
  const wanted = own !== undefined && usable.has(basename(own)) && !own.includes("'") ? [own] : [];
  for (const path of [...wanted, "/bin/bash", "/usr/bin/bash"]) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return "/bin/sh";
}
