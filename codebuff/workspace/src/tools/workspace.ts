import { CodeMap } from "../code-map/code-map.ts";
import { openProject, type Project } from "../files/project.ts";
import type { Confinement } from "../policy/confinement-note.ts";
import { detectSandbox } from "../policy/kernel-sandbox.ts";
import { AgentHands, type RunOptions } from "./agent-hands.ts";
import { amongAgents, CallOrder } from "./call-order.ts";

export interface WorkspaceOptions {
  readonly root: string;
  readonly cacheDirectory?: string;
  /** What confines PLAN and `sandboxed` commands: the best this machine offers unless told to use the table only. */
  readonly confinement?: "table";
}

/** One project on this machine, opened once, for any number of runs at the same time. */
export interface Workspace {
  readonly project: Project;
  readonly codeMap: CodeMap;
  /** `kernel`: PLAN commands run where they cannot write. `table`: only commands known to be read-only run at all. */
  readonly confinement: Confinement;
  /** The hands of a run's first agent; whoever begins a run ends it. */
  beginRun(options: RunOptions): AgentHands;
  close(): Promise<void>;
}

export async function openWorkspace({ root, cacheDirectory, confinement }: WorkspaceOptions): Promise<Workspace> {
  const [project, sandbox] = await Promise.all([
    openProject(root),
    confinement === "table" ? undefined : detectSandbox(),
  ]);
  const codeMap = new CodeMap({ root: project.root, cacheDirectory });
  const shared = { project, codeMap, amongAgents: new CallOrder(amongAgents), sandbox };
  return {
    project,
    codeMap,
    confinement: sandbox === undefined ? "table" : "kernel",
    beginRun: (options) => AgentHands.begin(shared, options),
    close: () => codeMap.close(),
  };
}
