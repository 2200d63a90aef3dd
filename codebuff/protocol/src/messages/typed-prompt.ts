import { parseJson } from "@muster/core";

/** The text a command stands for, with what was typed in its place. */
export function writeCustomCommand(typed: string, text: string): string {
  return `<custom_command typed=${JSON.stringify(typed)}>\n${text}\n</custom_command>`;
}

/** What hooks say beside a prompt. */
export function writeHookContext(context: readonly string[]): string {
  return `<hook_context>\n${context.join("\n\n")}\n</hook_context>`;
}

/** Files that came and went since the list in the system prompt was made. */
export function writeProjectChanges(changes: readonly string[]): string {
  return `<project_changes>\nSince the list of files was made (+ new, - gone):\n${changes.join("\n")}\n</project_changes>`;
}

/** A prompt as the model read it → as the person typed it. */
export function readTypedPrompt(text: string): string {
  return text
    .replace(/^<hook_context>\n[\s\S]*?\n<\/hook_context>$/gm, "")
    .replace(/^<project_changes>\n[\s\S]*?\n<\/project_changes>$/gm, "")
    .replace(/^<custom_command typed=(".*")>\n[\s\S]*?\n<\/custom_command>$/gm, (_, typed: string) =>
      String(parseJson(typed, typed)),
    )
    .trim();
}
