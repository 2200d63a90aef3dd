import { chmod, writeFile } from "node:fs/promises";
import { detectSandbox, type Sandbox } from "@muster/confinement";
import { quoteForShell } from "@muster/core";

export interface Confined {
  /** All that may be written, beside a private /tmp. */
  readonly root: string;
  readonly network: "allowed" | "denied";
  readonly visible: readonly string[];
}

/** What the kernel of this machine offers; undefined where it offers nothing, which each result then says. */
export type Walls = Sandbox | undefined;

export const findWalls: () => Promise<Walls> = detectSandbox;

/**
 * Writes a program that runs `command` with its own arguments behind the walls, from the top of what may be written. Standard input is handed on under another
 * number, because the walls take it away where a terminal could be typed into. Without walls it runs `command` as it is.
 */
export async function writeConfinedProgram(
  file: string,
  command: readonly string[],
  { walls, confined }: { walls: Walls; confined: Confined },
): Promise<void> {
  const words = command.map(quoteForShell).join(" ");
  const text =
    walls === undefined
      ? `exec ${words} "$@"`
      : `exec 3<&0\nexport MUSTER_EVAL_WORDS="$(printf '%q ' "$@")"\n${walls.wrap(
          `eval "exec ${words.replaceAll(/[\\"$`]/g, "\\$&")} $MUSTER_EVAL_WORDS <&3"`,
          { ...confined, writes: "project" },
        )}`;
  // In a session of its own it has no terminal of the person's, so that it may have terminals of its own.
  const alone = `[ -n "\${MUSTER_EVAL_ALONE-}" ] || MUSTER_EVAL_ALONE=1 exec setsid --wait "$0" "$@"\nunset MUSTER_EVAL_ALONE`;
  await writeFile(file, `#!/bin/bash\n${alone}\ncd ${quoteForShell(confined.root)} || exit\n${text}\n`);
  await chmod(file, 0o755);
}
