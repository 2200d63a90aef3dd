import type { DoctorReport, Finding } from "@muster/server";
import { printable } from "./printable.ts";

/** A line for each session with something to say, its findings below it, and the sum. */
export function doctorText({ dataDirectory, ok, sessions, findings }: DoctorReport): string {
  const lines: string[] = [];
  for (const session of sessions) {
    if (session.findings.length === 0) continue;
    lines.push(`${session.state.padEnd(10)} ${session.sessionId} (${session.lastSequence} events)`);
    for (const finding of session.findings) lines.push(...findingLines(finding));
  }
  for (const finding of findings) lines.push(...findingLines(finding));
  const whole = sessions.filter(({ state }) => state === "ok").length;
  const sum = `${sessions.length} sessions, ${whole} ok, ${sessions.length - whole} not`;
  lines.push(`${dataDirectory}: ${sum}${ok ? "" : "; --repair mends what can be mended"}`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function findingLines({ kind, path, detail, from, to, bytes, keptAs, repaired }: Finding): string[] {
  const events = from === undefined ? "" : from === to ? `, event ${from}` : `, events ${from} to ${to}`;
  const size = bytes ? `, ${bytes} bytes` : "";
  return [
    `  ${kind}: ${detail}${events}${size}`,
    `    in ${path}`,
    ...(keptAs !== undefined && keptAs !== path ? [`    kept as ${keptAs}`] : []),
    ...(repaired === undefined ? [] : [`    repaired: ${repaired}`]),
  ];
}
