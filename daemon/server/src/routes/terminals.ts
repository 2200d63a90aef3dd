import type { SandboxProcess } from "@muster/sandbox";
import { Failure } from "@muster/schema/wire";
import { VisibleProcesses } from "../engine/visible-processes.ts";
import type { RouteContext, Routes } from "./route.ts";

export const terminalRoutes = {
  "terminals.screen": async ({ params }, context) => {
    const process = await terminalOf(params, context);
    return (await context.processes.terminals()).watch(process).then((view) => view.screen());
  },
  "terminals.recording": async ({ params, query }, context) => {
    const process = await terminalOf(params, context);
    const { asciicastOf } = await import("@muster/sandbox");
    return asciicastOf(process, query.offset);
  },
} satisfies Partial<Routes>;

async function terminalOf({ processId }: { processId: string }, { processes, sessions, grant }: RouteContext) {
  const process: SandboxProcess = await new VisibleProcesses(await processes.get(), sessions, grant).get(processId);
  if (process.record.pty !== undefined) return process;
  throw new Failure("no_terminal", `Process ${processId} has no terminal`, { processId });
}
