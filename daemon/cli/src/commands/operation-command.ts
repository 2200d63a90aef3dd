import { type Operation, type OperationId, operations } from "@muster/schema";
import { Command, Option } from "commander";
import { agentTokenOf } from "../environment/agent-token.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { connect, endpointOf } from "../environment/connection.ts";
import { directoryFor } from "../environment/create-directory.ts";
import type { Outcome } from "../environment/exit.ts";
import { expiryOf } from "../environment/expiry.ts";
import { isLoopback } from "../environment/loopback.ts";
import { contentOf, fileOption } from "../fields/content-file.ts";
import { examplesOf } from "../fields/examples.ts";
import { agentTokenFileOption, optionsOf } from "../fields/field-options.ts";
import { chosenFormat, formatOption, jsonOption } from "../fields/format-options.ts";
import { agentNames, fieldsOf, positionalsOf, trailingFieldOf } from "../fields/operation-fields.ts";
import { inputOf } from "../fields/operation-input.ts";
import { optionWords } from "../fields/option-words.ts";
import { fetchWithProgress } from "../text/install-progress.ts";
import { isConversation, runOperation } from "./run-operation.ts";

/** Makes the client command of one row of the operations table. */
export function operationCommand(id: OperationId, environment: CommandEnvironment, outcome: Outcome): Command {
  const operation: Operation = operations[id];
  const fields = fieldsOf(operation);
  const trailing = trailingFieldOf(fields);
  const command = new Command(operation.cli.at(-1)).description(operation.summary);
  for (const name of positionalsOf(operation))
    command.argument(name === operation.madeParam ? `[${name}]` : `<${name}>`, argumentText(operation, name));
  if (trailing !== undefined) command.argument(`[${trailing.name}]`, `the same as --${trailing.flag}`);
  const names = new Map<string, string>();
  for (const field of fields) {
    for (const option of optionsOf(field)) {
      names.set(option.attributeName(), field.name);
      command.addOption(option);
    }
  }
  for (const option of sharedOptions(
    operation,
    fields.some(({ part }) => part === "body"),
  ))
    command.addOption(option);
  const hasToken = fields.some(({ flag }) => flag === "agent-token");
  if (hasToken) command.addOption(agentTokenFileOption());
  const { takesBytes = false } = operation;
  const hasFile = takesBytes || operation.answer === "bytes";
  if (hasFile) command.addOption(fileOption(takesBytes));
  if (isConversation(id))
    command.addOption(new Option("--events", "one line for each event instead of a conversation"));
  const examples = examplesOf(operation, fields).map((line) => `  ${line}\n`);
  command.addHelpText("after", `\nExamples:\n${examples.join("")}`);

  return command.action(async () => {
    const given = command.opts();
    outcome.errorFormat = given.json ? "json" : (given.format ?? "text");
    const values: Record<string, unknown> = {};
    for (const [attribute, name] of names) values[name] = given[attribute];
    const { stdin, stdout, stderr, env } = environment;
    if (typeof values.expiresAt === "string") values.expiresAt = expiryOf(values.expiresAt);
    if (hasToken) values.token = await agentTokenOf(given, environment);
    const typed: readonly (string | undefined)[] = command.processedArgs;
    const input = await inputOf(operation, fields, { positionals: typed, values, body: given.body, stdin });
    const seen = (directory: unknown) =>
      directoryFor(directory as string | undefined, isLoopback(endpointOf(given, environment)), environment);
    // A person looks for what waits for them and what they did last.
    if (id === "sessions.list") input.query.order ??= "waiting";
    if (id === "sessions.create") input.body.directory = seen(input.body.directory);
    if (id === "sessions.fork" && input.body.directory !== undefined) input.body.directory = seen(input.body.directory);
    if (input.query.directory !== undefined) input.query.directory = seen(input.query.directory);
    const progress = id === "agents.install" && environment.stderr.isTTY === true;
    const client = connect(operation, given, environment, progress ? fetchWithProgress(environment) : undefined);
    const format = chosenFormat(given, stdout);
    const file = hasFile ? (given.file as string | undefined) : undefined;
    const content = takesBytes ? { body: await contentOf(file, stdin) } : {};
    const to = file === "-" ? undefined : file;
    outcome.code = await runOperation({
      id,
      input: { ...input, ...content } as typeof input,
      to,
      client,
      format,
      stdout,
      stderr,
      env,
      trace: given.events === true,
    });
  });
}

/** What an argument is for: in words of the command where there are some, otherwise in those of the API. */
function argumentText({ params }: Operation, name: string): string | undefined {
  const described = params?.shape[name]?.description;
  return argumentTexts[name] ?? (described && optionWords(described.charAt(0).toLowerCase() + described.slice(1)));
}

const argumentTexts: Readonly<Record<string, string>> = {
  agent: agentNames,
  sessionId: "its id; `sessions list` names them",
  sourceId: "the session that is forked; `sessions list` names them",
  messageId: "its id; `sessions get-messages` names them",
  questionId: "its id; `sessions list-requests` names them",
  permissionId: "its id; `sessions list-requests` names them",
  tokenId: "its id; `tokens list` names them",
};

/** The options of every client command; a field whose flag would meet one has its own name in `cliNames`. */
export function sharedOptions(operation: Operation, hasBody: boolean): Option[] {
  const token =
    operation.scope === "public"
      ? "not needed here"
      : "the daemon's token; default: SANDBOX_DAEMON_TOKEN, or the token file of a local daemon";
  return [
    ...(hasBody
      ? [new Option("--body <json>", "the whole body as JSON, @file, or - for standard input; options win")]
      : []),
    new Option("--endpoint <url>", "where the daemon is; default: SANDBOX_DAEMON_ENDPOINT, or the one that runs here"),
    new Option("--token <token>", token),
    formatOption(),
    jsonOption(),
  ];
}
