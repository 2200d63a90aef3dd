import { detectSandbox, type Wall } from "@muster/confinement";
import { CodeMap } from "../code-map/code-map.ts";
import { openProject, type Project } from "../files/access/project.ts";
import type { Confinement } from "../policy/confinement-note.ts";
import type { FileSource } from "../virtual/file-source.ts";
import { Mirror } from "../virtual/mirror.ts";
import { AgentHands, type RunOptions } from "./agent-hands.ts";
import { amongAgents, CallOrder } from "./call-order.ts";
import { OutputRedaction } from "./output-redaction.ts";

export interface WorkspaceOptions {
  readonly root: string;
  readonly cacheDirectory?: string;
  /** What confines PLAN and `sandboxed` commands: the best this machine offers unless told to use the table only. */
  readonly confinement?: "table";
  /** A virtual project: its files are behind this port, and `root` is a name in it. */
  readonly files?: FileSource;
}

/** One project on this machine, opened once, for any number of runs at the same time. */
export interface Workspace {
  readonly project: Project;
  readonly codeMap: CodeMap;
  /** `kernel`: PLAN commands run where they cannot write. `table`: only commands known to be read-only run at all. */
  readonly confinement: Confinement;
  /** Which walls of the kernel stand around a confined command, each tried out; none with the table. */
  readonly walls: readonly Wall[];
  readonly isVirtual: boolean;
  /** Brings the directory of a virtual project up to date; rejects with what its files answered. */
  refresh(): Promise<void>;
  /** The hands of a run's first agent; whoever begins a run ends it. */
  beginRun(options: RunOptions): AgentHands;
  close(): Promise<void>;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { root, cacheDirectory, confinement, files } = options;
  const mirror = files === undefined ? undefined : await Mirror.open(files, root);
  const [project, sandbox] = await Promise.all([
    mirror === undefined ? openProject(root) : { root: mirror.root, named: root },
    confinement === "table" ? undefined : detectSandbox(),
  ]);
  const codeMap = new CodeMap({ root: project.root, cacheDirectory: mirror?.cacheDirectory ?? cacheDirectory });
  const redaction = new OutputRedaction(project.root);
  const shared = { project, codeMap, amongAgents: new CallOrder(amongAgents), sandbox, mirror, redaction };
  return {
    project,
    codeMap,
    confinement: sandbox === undefined ? "table" : "kernel",
    walls: sandbox?.walls ?? [],
    isVirtual: mirror !== undefined,
    refresh: async () => mirror?.pull(),
    beginRun: (options) => AgentHands.begin(shared, options),
    async close() {
      await codeMap.close();
      await mirror?.close();
    },
  };
}
