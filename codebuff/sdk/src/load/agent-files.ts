import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface AgentFolder {
  readonly path: string;
  /** The person's own folder needs no acceptance. */
  readonly isOwn: boolean;
}

/** Where agents are looked for; an earlier folder wins over a later one. */
export function agentFolders(cwd: string, home = homedir()): AgentFolder[] {
  const project = resolve(cwd);
  const own = join(home, ".agents");
  const folders = [join(project, ".agents"), join(dirname(project), ".agents"), own];
  return [...new Set(folders)].map((path) => ({ path, isOwn: path === own }));
}

/** TypeScript and JavaScript below a folder, in a stable order. */
export async function agentFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && isAgentFile(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](node_modules|skills|types)[\\/]/.test(file.slice(folder.length)))
    .sort();
}

function isAgentFile(name: string): boolean {
  return (
    /\.(tsx?|mjs|cjs|js)$/.test(name) && !/\.(d|test|spec)\.[cm]?tsx?$/.test(name) && !/\.test\.[cm]?js$/.test(name)
  );
}
