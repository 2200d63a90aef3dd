import type { DecideTrust } from "@muster/codebuff-sdk";
import type { DialogStack } from "../dialogs/dialog-stack.ts";
import { trustLines } from "./trust-lines.ts";

/** One question for everything a project brings that has not been accepted as it is. A no is not asked again until something changes. */
export function askTrustWith({
  dialogs,
  notify,
}: {
  readonly dialogs: DialogStack;
  readonly notify: (title: string) => void;
}): DecideTrust {
  const refused = new Set<string>();
  return async ({ root, items, hash }) => {
    if (refused.has(hash)) return false;
    const what = items.every(({ change }) => change === "changed") ? "has changed" : "brings";
    const title = `This project ${what} ${countText(items.length)} that would run here or steer the agent. Trust?`;
    notify(title);
    const lines = trustLines(items, root);
    const chosen = await dialogs.choose<boolean | "this run">({
      title,
      details: (_, theme) => lines.map((line) => (line.startsWith("  ") ? theme.dim(line) : line)),
      choices: [
        { label: "No, leave it out", value: false },
        { label: "Yes, I trust it as it is now", value: true },
        { label: "For this prompt only", value: "this run" },
      ],
      escape: "leaves it out",
    });
    const decision = chosen?.values[0] ?? false;
    if (decision === false) refused.add(hash);
    return decision;
  };
}

function countText(count: number): string {
  return count === 1 ? "one thing" : `${count} things`;
}
