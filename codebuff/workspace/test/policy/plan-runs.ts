import type { Sandbox } from "@muster/confinement";
import { Gate, openProject } from "../../src/index.ts";
import { differences, photograph, runLines } from "./plan-project.ts";

/** Linux takes no argument longer than 128 KiB. */
const longestScript = 90_000;

export async function planGate(root: string, confinedBy: Sandbox | undefined): Promise<Gate> {
  const opened = await openProject(root);
  return new Gate({ project: opened, writes: "denied", permissions: "unattended", sandbox: confinedBy });
}

/** What PLAN lets pass, as it is to be run. */
export async function allowedBy(gate: Gate, commands: readonly string[]): Promise<{ command: string; run: string }[]> {
  const allowed: { command: string; run: string }[] = [];
  for (const command of commands) {
    const verdict = await gate.command(command);
    if (verdict.ok) allowed.push({ command, run: verdict.run });
  }
  return allowed;
}

/** Runs lines in groups; when a group has changed a byte its lines are run one by one, to name the one that did. */
export async function changesBy(
  place: Parameters<typeof runLines>[1],
  lines: readonly { command: string; run: string }[],
): Promise<{ changed: string[]; failed: string[] }> {
  const changed: string[] = [];
  const failed: string[] = [];
  const { root } = place;
  for (const group of groupsOf(lines)) {
    const before = photograph(root);
    const codes = await runLines(
      group.map(({ run }) => run),
      place,
    );
    failed.push(...group.flatMap(({ command }, at) => (codes[at] === 0 ? [] : [command])));
    if (differences(before, photograph(root)).length > 0) changed.push(...(await culprits(group, place)));
  }
  return { changed, failed };
}

function groupsOf(lines: readonly { command: string; run: string }[]): (typeof lines)[number][][] {
  const groups: (typeof lines)[number][][] = [];
  let room = 0;
  for (const line of lines) {
    // Quotes become longer each time they are quoted again.
    room -= line.run.length + 6 * line.run.split("'").length + 100;
    if (room < 0) {
      groups.push([]);
      room = longestScript - line.run.length;
    }
    groups.at(-1)?.push(line);
  }
  return groups;
}

async function culprits(
  group: readonly { command: string; run: string }[],
  place: Parameters<typeof runLines>[1],
): Promise<string[]> {
  const found: string[] = [];
  for (const { command, run } of group) {
    const before = photograph(place.root);
    await runLines([run], place);
    const different = differences(before, photograph(place.root));
    if (different.length > 0) found.push(`${command} (${different.join(", ")})`);
  }
  return found.length > 0 ? found : [`one of these, once: ${group.map(({ command }) => command).join("\n")}`];
}
