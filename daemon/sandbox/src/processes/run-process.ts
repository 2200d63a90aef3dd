import type { Answer, RunProcess } from "@muster/schema/wire";
import { bytesOf } from "./log/output-lines.ts";
import type { Processes, StartOptions } from "./processes.ts";

export interface RunOptions extends StartOptions {
  input?: string | undefined;
  maxOutput?: RunProcess["maxOutput"];
}

const defaultTimeoutMs = 60_000;
const defaultOutput = 1024 * 1024;

/** Runs a program to its end. What it wrote beyond the answer is in its log. */
export async function runProcess(processes: Processes, options: RunOptions): Promise<Answer<"processes.run">> {
  const { input = "", maxOutput = defaultOutput, ...given } = options;
  const limits = { timeoutMs: defaultTimeoutMs, ...given.limits };
  const startedAt = Date.now();
  const process = await processes.start({ ...given, limits });
  // A program may end before it has read what it was given.
  await process
    .input(Buffer.from(input))
    .then(() => process.closeInput())
    .catch(() => {});
  await process.ended;
  const durationMs = Date.now() - startedAt;
  const { processId, end } = process.record;
  if (end === undefined) throw new Error(`Process ${processId} has ended without an end`);
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const room = { stdout: maxOutput, stderr: maxOutput };
  let seen = 0;
  for (let offset = 0; offset < end.outputBytes && room.stdout + room.stderr > 0; ) {
    const { chunks, next } = await process.read(offset, 1024 * 1024);
    for (const chunk of chunks) {
      if (chunk.type !== "output" || chunk.stream === "pty") continue;
      const bytes = bytesOf(chunk).subarray(0, room[chunk.stream]);
      kept[chunk.stream].push(bytes);
      room[chunk.stream] -= bytes.length;
      seen += bytes.length;
    }
    if (next === offset) break;
    offset = next;
  }
  return {
    processId,
    end,
    stdout: Buffer.concat(kept.stdout).toString(),
    stderr: Buffer.concat(kept.stderr).toString(),
    truncated: seen < end.outputBytes,
    durationMs,
  };
}
