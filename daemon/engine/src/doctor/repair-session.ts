import { rename } from "node:fs/promises";
import { join } from "node:path";
import { GroupSync } from "@muster/log";
import type { Body, UniversalEvent } from "@muster/schema";
import { EventLog } from "../event-log/index.ts";
import type { Fence } from "../store/fence.ts";
import type { Layout } from "../store/layout.ts";
import { readSessionFile, writeSessionFile } from "../store/session-file.ts";
import type { Finding, FindingKind, SessionReport } from "./report.ts";

/** Opens the log as a start would, which cuts off what was never finished and names what is lost. */
export async function repairSession(places: Layout, fence: Fence, session: SessionReport): Promise<void> {
  const { folder, sessionId, findings } = session;
  const directory = join(places.sessions, folder);
  // Whose file this is cannot be known: a person has to look.
  if (findings.some(({ kind }) => kind === "foreign")) return;
  const groupSync = new GroupSync();
  try {
    const isBroken = findings.some(({ kind }) => kind === "session_file");
    const file = isBroken ? undefined : await readSessionFile(join(directory, "session.json"));
    const lastKnown = file?.checkpoint?.sequence;
    const options = { directory, sessionId, durability: "batch", groupSync, fence, lastKnown, keepsAll: true } as const;
    const log = await EventLog.open(options);
    try {
      mark(findings, "torn", { repaired: "cut off", keptAs: log.recovery?.keptAs });
      for (const kind of ["damaged", "cut", "missing", "behind"] as const) {
        mark(findings, kind, { repaired: "told to readers as log.damaged; the log goes on behind it" });
      }
      if (isBroken) await rebuildSessionFile(log, directory, session);
    } finally {
      await log.close();
    }
  } finally {
    await groupSync.close();
  }
}

function mark(findings: readonly Finding[], kind: FindingKind, { repaired, keptAs }: Partial<Finding>): void {
  for (const finding of findings) {
    if (finding.kind === kind) Object.assign(finding, { repaired }, keptAs !== undefined && { keptAs });
  }
}

/** What the log says of a session is enough to go on with it; the old file stays beside the new one. */
async function rebuildSessionFile(log: EventLog, directory: string, session: SessionReport): Promise<void> {
  const path = join(directory, "session.json");
  const started = await firstStart(log);
  if (!started) return;
  const { agent, directory: workDirectory, permissionMode, model, agentMode, variant } = started.data;
  const keptAs = `${path}.broken`;
  // A file that is missing leaves nothing to keep.
  const isThere = await rename(path, keptAs).then(
    () => true,
    () => false,
  );
  await writeSessionFile(path, {
    format: 1,
    sessionId: session.sessionId,
    createdAt: started.time,
    settings: { agent, directory: workDirectory, permissionMode, model, agentMode, variant, env: {}, mcp: {} },
    digest: "",
    secretNames: [],
  });
  const repaired = "made again from the log; limits, environment and MCP servers it named are gone";
  mark(session.findings, "session_file", { repaired, ...(isThere && { keptAs }) });
}

async function firstStart(log: EventLog): Promise<(UniversalEvent & Body<"session.started">) | undefined> {
  for await (const event of log.events(0)) if (event.type === "session.started") return event;
  return undefined;
}
