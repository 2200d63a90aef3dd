import { homedir } from "node:os";
import { projectCommandItems } from "../commands/read-commands.ts";
import { projectHookItems } from "../hooks/read-hooks.ts";
import { agentFiles, agentFolders } from "../load/agent-files.ts";
import { buildAgentModule } from "../load/agent-module.ts";
import { readMcpItem } from "../load/mcp-config.ts";
import { projectRuleItems } from "../load/permission-rules.ts";
import { projectConfigItem, projectFile } from "../load/project-config.ts";
import { projectSkillFiles } from "../load/skills.ts";
import type { TrustItem } from "../load/trust.ts";
import { readSettings } from "../settings/settings-file.ts";

/** Everything a project brings that has to be accepted before it is used. Nothing of it runs here. */
export async function readTrustItems(root: string, home = homedir()): Promise<TrustItem[]> {
  const quiet = () => undefined;
  const folders = agentFolders(root, home).filter(({ isOwn }) => !isOwn);
  const file = await projectFile(root);
  const [agents, servers, { settings }, skills, rules, hooks, commands] = await Promise.all([
    Promise.all(folders.map(({ path }) => agentItems(path))),
    Promise.all(folders.map(({ path }) => readMcpItem(path, quiet))),
    readSettings(file, quiet),
    projectSkillFiles(root, home),
    projectRuleItems(root),
    projectHookItems({ root, home }),
    projectCommandItems(root, home),
  ]);
  const config = projectConfigItem(file.path, settings);
  return [
    ...agents.flat(),
    ...servers.flatMap((item) => item ?? []),
    ...(config === undefined ? [] : [config]),
    ...skills,
    ...rules,
    ...hooks,
    ...commands,
  ];
}

async function agentItems(folder: string): Promise<TrustItem[]> {
  const items = (await agentFiles(folder)).map(async (path): Promise<TrustItem[]> => {
    // A file that cannot be built cannot run either; who loads it tells why.
    const content = await buildAgentModule(path).catch(() => undefined);
    return content === undefined ? [] : [{ kind: "agent", path, content }];
  });
  return (await Promise.all(items)).flat();
}
