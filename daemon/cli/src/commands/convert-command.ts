import { Output } from "@muster/node";
import { Command, Option } from "commander";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import type { Outcome } from "../environment/exit.ts";
import { leftOutText } from "../text/left-out.ts";

/** `convert`: a log of one protocol from standard input, the same in another to standard output. No daemon is asked. */
export function convertCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("convert")
    .description("Converts an agent's own lines to another agent's, or to universal events, from stdin to stdout")
    .addOption(new Option("--from <agent>", "whose lines come in: an agent, or universal").makeOptionMandatory())
    .addOption(new Option("--to <agent>", "what goes out: an agent, or universal").makeOptionMandatory())
    .option("--input", "convert what goes to agents (prompts, answers, settings) instead of what they say")
    .option("--requests", "tell questions and permissions too, where the target has a line for them")
    .addOption(new Option("--session-id <id>", "the session the events are to name").default("converted"))
    .addHelpText("after", examples);
  return command.action(async () => {
    const options = command.opts<{
      from: string;
      to: string;
      sessionId: string;
      input?: boolean;
      requests?: boolean;
    }>();
    const { stdin, stdout, stderr } = environment;
    // Only here: client commands must not pay for loading the server.
    const { LineConverter } = await import("@muster/server");
    const converter = await LineConverter.open({ ...options, directory: process.cwd() });
    const output = new Output(stdout);
    const write = (lines: readonly string[]) => output.write(lines.map((line) => `${line}\n`).join(""));
    for await (const chunk of stdin) {
      await write(converter.push(Buffer.from(chunk)));
      if (output.closed.aborted) break;
    }
    await write(converter.end());
    stderr.write(leftOutText(converter.leftOut));
    outcome.code = output.end();
  });
}

const examples = `
What the target has no words for is left out, and counted in a comment on standard error.
With --input a universal line is a command: {"type":"message","messageId":"m1","text":"Hello","attachments":[]}; the
others are steer, permission, question, interrupt and update. A line that is no command to its agent is
{"type":"unparsed","raw":…,"error":…}.

Examples:
  claude -p 'Say hello' --output-format stream-json --verbose | sandbox-daemon convert --from claude --to universal
  sandbox-daemon convert --from claude --to codex < session.jsonl
  echo '{"type":"message","messageId":"m1","text":"Hello","attachments":[]}' | sandbox-daemon convert --input --from universal --to claude
`;
