import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../io.ts";

/** The text as it is when `$VISUAL` or `$EDITOR` ends; undefined when it ended with a failure. */
export async function editExternally(
  text: string,
  io: Pick<Io, "env" | "cwd" | "takeInterrupts">,
): Promise<string | undefined> {
  const { env, cwd } = io;
  const folder = await mkdtemp(join(tmpdir(), "codebuff-edit-"));
  const file = join(folder, "prompt.md");
  // Ctrl-C in an editor is the editor's.
  const giveBack = io.takeInterrupts?.(() => undefined);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const editor = env.VISUAL || env.EDITOR || "vi";
    // By the shell: $EDITOR may have arguments.
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { cwd, env: { ...env }, stdio: "inherit" });
    const [code] = await once(child, "close");
    return code === 0 ? await readFile(file, "utf8") : undefined;
  } finally {
    giveBack?.();
    await rm(folder, { recursive: true, force: true });
  }
}
