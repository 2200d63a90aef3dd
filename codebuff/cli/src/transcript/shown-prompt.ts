import { readTypedPrompt } from "@muster/codebuff-protocol";

export interface TerminalCommand {
  readonly command: string;
  readonly directory: string;
  readonly exitCode: number | undefined;
  readonly output: string;
}

export interface TextAttachment {
  readonly name: string;
  readonly text: string;
}

/** What the person ran since the last prompt, as the model reads it. */
export function writeTerminalCommands(commands: readonly TerminalCommand[]): string {
  const each = commands.map(({ command, directory, exitCode, output }) =>
    [
      "<terminal_command>",
      `<command>${command}</command>`,
      `<directory>${directory}</directory>`,
      `<exit_code>${exitCode ?? "unknown"}</exit_code>`,
      `<output>${output}</output>`,
      "</terminal_command>",
    ].join("\n"),
  );
  return `<user_terminal_commands>\n${each.join("\n")}\n</user_terminal_commands>`;
}

export function writeAttachment({ name, text }: TextAttachment): string {
  return `<attachment name="${name.replaceAll('"', "'")}">\n${text}\n</attachment>`;
}

/** A prompt as it was sent → the words the person typed, and the names of what went with them. */
export function readShownPrompt(sent: string): { text: string; attachments: string[] } {
  const inner = /^<user_message>([\s\S]*)<\/user_message>/.exec(sent)?.[1] ?? sent;
  const attachments = [...inner.matchAll(/^<attachment name="([^"]*)">$/gm)].map(([, name = ""]) => name);
  const text = inner
    .replace(/^<attachment name="[^"]*">\n[\s\S]*?\n<\/attachment>$/gm, "")
    .replace(/^<user_terminal_commands>\n[\s\S]*?\n<\/user_terminal_commands>$/gm, "");
  return { text: readTypedPrompt(text), attachments };
}
