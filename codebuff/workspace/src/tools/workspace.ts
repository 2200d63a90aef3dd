import { CodeMap } from "../code-map/code-map.ts";
import { openProject, type Project } from "../files/project.ts";
import { AgentHands, type RunOptions } from "./agent-hands.ts";
import { amongAgents, CallOrder } from "./call-order.ts";

export interface WorkspaceOptions {
  readonly root: string;
  readonly cacheDirectory?: string;
}

/** One project on this machine, opened once, for any number of runs at the same time. */
export interface Workspace {
  readonly project: Project;
  readonly codeMap: CodeMap;
  /** The hands of a run's first agent; whoever begins a run ends it. */
  beginRun(options: RunOptions): AgentHands;
  close(): Promise<void>;
}

export async function openWorkspace({ root, cacheDirectory }: WorkspaceOptions): Promise<Workspace> {
  const project = await openProject(root);
  const codeMap = new CodeMap({ root: project.root, cacheDirectory });
  const shared = { project, codeMap, amongAgents: new CallOrder(amongAgents) };
  return {
    project,
    codeMap,
    beginRun: (options) => AgentHands.begin(shared, options),
    close: () => codeMap.close(),
  };
}
