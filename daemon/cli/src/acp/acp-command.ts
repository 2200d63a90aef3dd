import { type CreateSession, operations } from "@muster/schema";
import { Command, Option } from "commander";
import { agentTokenOf } from "../environment/agent-token.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { agentTokenFileOption, optionsOf } from "../fields/field-options.ts";
import { agentNames, fieldsOf } from "../fields/operation-fields.ts";
import { checkBody } from "../fields/operation-input.ts";
import { openDaemon } from "../talk/open-daemon.ts";

/** `acp`: an agent for an editor, over standard input and output. */
export function acpCommand(environment: CommandEnvironment, version: string): Command {
  const command = new Command("acp")
    .description("An agent for editors: the Agent Client Protocol on standard input and output")
    .requiredOption("--agent <agent>", agentNames);
  for (const field of sessionFields()) for (const option of optionsOf(field)) command.addOption(option);
  command.addOption(agentTokenFileOption());
  command.addOption(new Option("--endpoint <url>", "a daemon to use; default: the one that runs here, or an own one"));
  command.addOption(new Option("--token <token>", "the token of that daemon; default: as for every other command"));
  command.addOption(new Option("--data-dir <path>", "where the daemon on this machine keeps its sessions"));
  command.addHelpText("after", examples);
  return command.action(async () => {
    const given = command.opts();
    const settings: Record<string, unknown> = {};
    for (const field of sessionFields()) {
      for (const option of optionsOf(field)) settings[field.name] ??= given[option.attributeName()];
    }
    settings.token = await agentTokenOf(given, environment);
    const create = operations["sessions.create"];
    checkBody(create, fieldsOf(create), { agent: given.agent, ...settings });
    // Only here: no other command pays for it.
    const [{ EditorAgent }, { JsonRpcPeer }] = await Promise.all([
      import("./editor-agent.ts"),
      import("./json-rpc.ts"),
    ]);
    const daemon = await openDaemon(given, environment);
    const { stdin: input, stdout: output } = environment;
    try {
      const plain = settings as Omit<CreateSession, "agent" | "directory">;
      const agent = new EditorAgent({ client: daemon.connect(), agent: given.agent, settings: plain, version });
      await agent.serve(new JsonRpcPeer({ input, output, handlers: agent.handlers }));
    } finally {
      await daemon.close();
    }
  });
}

/** The editor says where the agent works, and which MCP servers it has. */
function sessionFields() {
  const own = ["agent", "reuse", "directory", "mcp", "title"];
  return fieldsOf(operations["sessions.create"]).filter(({ name }) => !own.includes(name));
}

const examples = `
A daemon that runs on this machine is used; otherwise this command is one, for as long as the editor runs it. Sessions are
the daemon's: they can be loaded again, and followed by every other command.

Examples:
  sandbox-daemon acp --agent claude
  sandbox-daemon acp --agent codex --permission-mode acceptEdits
`;
