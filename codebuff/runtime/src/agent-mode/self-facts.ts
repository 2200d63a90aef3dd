import type { AgentModeSelf } from "@muster/codebuff-protocol";

/** What the agent should look at first when it changes itself: the first candidate that exists. */
const keyFiles: Readonly<Record<string, readonly string[]>> = {
  "the tools": ["codebuff/protocol/src/tools/tool-table.ts"],
  "the command line": ["codebuff/cli/src/index.ts", "codebuff/cli/src/main.ts", "codebuff/cli/src/codebuff.ts"],
  "the terminal": ["codebuff/workspace/src/terminal/terminal.ts"],
  "agent mode's prompt": ["codebuff/runtime/src/agent-mode/system-prompt.ts"],
  "agent mode's loop": ["codebuff/runtime/src/agent-mode/handle-agent-prompt.ts"],
  "how the repository is laid out": ["docs/house.md"],
};

const usefulScripts = ["build", "test", "check"];

export interface SelfSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the program's own source may lie, when it runs from a checkout. */
  readonly sourceRoot: string | undefined;
  exists(path: string): boolean;
  readText(path: string): string;
}

/** `CODEBUFF_SELF_ROOT`, else the program's source root, else nothing is said about it. */
export function findSelf(source: SelfSource): AgentModeSelf | undefined {
  const root = source.env.CODEBUFF_SELF_ROOT || source.sourceRoot;
  if (root === undefined || !source.exists(`${root}/package.json`)) return undefined;
  const found: Record<string, string> = {};
  for (const [what, candidates] of Object.entries(keyFiles)) {
    const path = candidates.find((candidate) => source.exists(`${root}/${candidate}`));
    if (path !== undefined) found[what] = path;
  }
  return { root, keyFiles: found, commands: commandsOf(source.readText(`${root}/package.json`)) };
}

function commandsOf(packageJson: string): string[] {
  try {
    const { scripts = {} } = JSON.parse(packageJson) as { scripts?: Record<string, string> };
    return usefulScripts.filter((name) => scripts[name] !== undefined).map((name) => `npm run ${name}`);
  } catch {
    return []; // a broken package.json has no commands to offer
  }
}
