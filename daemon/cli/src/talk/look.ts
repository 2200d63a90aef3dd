import { paintFor } from "@muster/core";
import { columnsOf } from "../environment/columns.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import type { ConversationOptions } from "../text/conversation-text.ts";

/** How text that is being written is drawn: as Markdown where there is colour, as lines on any other terminal, else as it comes. */
export async function growingFor(
  stdout: CommandEnvironment["stdout"],
  env: CommandEnvironment["env"],
): Promise<ConversationOptions["growing"]> {
  if (columnsOf(stdout) === undefined) return undefined;
  // Only here: pipes and other commands must not pay for it.
  const { growingLines, growingMarkdown } = await import("../text/markdown/growing-text.ts");
  const paint = paintFor(stdout, env);
  const isPlain = paint.bold("x") === "x";
  return (kind) => {
    const width = (columnsOf(stdout) ?? 80) - 1;
    if (kind === "reasoning") return growingLines(width, paint.dim);
    return isPlain ? growingLines(width) : growingMarkdown({ paint, width });
  };
}
