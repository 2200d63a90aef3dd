import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, parseJson } from "@muster/core";
import { readRegular } from "@muster/node";
import type { OpenOptions } from "../../adapter.ts";
import { type ForkedConversation, ForkFailure, type ForkPoint } from "../../fork-point.ts";
import type { AgentHost } from "../../host.ts";
import { findTranscript, projectFolder, projectsFolder, writeTranscript } from "../history/transcript-file.ts";

/** The transcript lags behind what Claude said: so long the last entry that stays may be on its way to the disk. */
const lagMs = 5_000;
const pauseMs = 100;

/**
 * A copy of the transcript up to the place, under a new id. Claude's own ways are worse: `rewind_conversation` is lost by a
 * kill within a second, and `--resume-session-at` finds nothing behind a compaction (2.1.325).
 */
export async function forkClaude(host: AgentHost, options: OpenOptions, at: ForkPoint): Promise<ForkedConversation> {
  const projects = projectsFolder(host, options);
  const path = await findTranscript(projects, at.nativeSessionId);
  if (path === undefined) throw new ForkFailure(`Claude Code has no transcript of ${at.nativeSessionId}`);
  const lines = await keptLines(path, at);
  const nativeSessionId = randomUUID();
  const isSamePlace = options.directory === at.directory;
  const folder = isSamePlace ? dirname(path) : await projectFolder(projects, options.directory);
  const renamed = lines.map((line) => ("sessionId" in line ? { ...line, sessionId: nativeSessionId } : line));
  await writeTranscript(host, { folder, id: nativeSessionId, lines: renamed });
  return { nativeSessionId };
}

async function keptLines(path: string, at: ForkPoint): Promise<Record<string, unknown>[]> {
  for (const giveUpAt = Date.now() + lagMs; ; await sleep(pauseMs)) {
    const lines = (await readRegular(path))
      .toString()
      .split("\n")
      .map((line) => parseJson(line))
      .filter(isRecord);
    const end = cutAt(lines, at);
    if (end !== undefined) return lines.slice(0, end);
    if (Date.now() > giveUpAt) throw new ForkFailure("Claude Code's transcript does not have the end of that turn");
  }
}

/** How many lines stay; undefined while the last of them is not there. */
function cutAt(lines: readonly Record<string, unknown>[], at: ForkPoint): number | undefined {
  const { keep, drop, dropped, isWhole } = at;
  const gone = new Set([...dropped, ...(drop === undefined ? [] : [drop])]);
  const firstGone = lines.findIndex(({ uuid }) => typeof uuid === "string" && gone.has(uuid));
  const kept = keep === undefined ? -1 : lines.findIndex(({ uuid }) => uuid === keep);
  if (kept >= 0) return kept + 1;
  if (firstGone >= 0) return firstGone;
  return isWhole && keep === undefined ? lines.length : undefined;
}
