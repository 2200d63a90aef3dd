import { Command, Option } from "commander";
import { describeExit, exitCodes } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { type GivenFlags, runFlags } from "./run-flags.ts";
import { version } from "./version.ts";

/** Runs one command to its end and resolves with the exit code; every error is written, none is thrown. */
export async function runCommandLine(io: Io): Promise<number> {
  const outcome: Outcome = { code: exitCodes.ok };
  try {
    await programOf(io, outcome).parseAsync([...io.args], { from: "user" });
    return outcome.code;
  } catch (error) {
    const { code, text } = describeExit(error);
    io.stderr.write(text);
    return code;
  }
}

interface Outcome {
  code: number;
}

function programOf(io: Io, outcome: Outcome): Command {
  const program = new Command("codebuff")
    .description("A coding agent: a chat at a terminal, or with -n, --json or --stream-json one prompt and its answer.")
    .argument("[prompt...]", "what to do, with what is piped in; - or nothing reads it from standard input")
    .version(version, "-v, --version")
    .enablePositionalOptions()
    .addHelpText("after", rootHelp);
  for (const [flag, description, group] of runFlags) {
    program.addOption(new Option(flag, description).helpGroup(`${headings[group]}:`));
  }
  program.action(async (words: string[], flags: GivenFlags) => {
    const { runPrompt } = await import("./run-prompt.ts");
    outcome.code = await runPrompt(flags, words, io);
  });
  addCommands(program, io, outcome);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError("codebuff --help lists every flag and command")
      .configureOutput({
        writeOut: (text) => void io.stdout.write(text),
        writeErr: (text) => void io.stderr.write(text),
        outputError: (text, write) => write(text.replace(/^error: /, "codebuff: ")),
      });
  }
  return program;
}

/** Each command's code is loaded when it is called: `--help` and `--version` load none of it. */
function addCommands(program: Command, io: Io, outcome: Outcome): void {
  const run = (action: (io: Io) => Promise<number>) => async () => {
    outcome.code = await action(io);
  };
  const sessions = program.command("sessions").description("list, show, fork, export or delete conversations");
  sessions
    .command("list")
    .description("the conversations of this directory, newest first")
    .option("--json", "as JSON")
    .option("--cwd <dir>", "of that directory")
    .action(async (options) => {
      const { listSessions } = await import("./commands/sessions.ts");
      await run((own) => listSessions(options, own))();
    });
  sessions
    .command("show <id>")
    .description("a conversation as text")
    .option("--json", "its entries as JSON lines")
    .action(async (id, options) => {
      const { showSession } = await import("./commands/sessions.ts");
      await run((own) => showSession(id, options, own))();
    });
  sessions
    .command("fork <id>")
    .description("a new conversation with the same history; files are untouched")
    .option("--up-to <n>", "only up to this entry")
    .option("--cwd <dir>", "of that directory")
    .option("--into <dir>", "as a conversation of this directory")
    .action(async (id, options) => {
      const { forkSession } = await import("./commands/sessions.ts");
      await run((own) => forkSession(id, options, own))();
    });
  sessions
    .command("import <file>")
    .description("a new conversation from messages in a JSON file")
    .option("--cwd <dir>", "of that directory")
    .action(async (path, options) => {
      const { importSession } = await import("./commands/sessions.ts");
      await run((own) => importSession(path, options, own))();
    });
  sessions
    .command("export <id>")
    .description("a conversation as a document")
    .addOption(
      new Option("--format <format>", "how it is written").choices(["markdown", "json", "html"]).default("markdown"),
    )
    .option("-o, --output <file>", "into this file instead of standard output")
    .action(async (id, options) => {
      const { exportSession } = await import("./commands/sessions.ts");
      await run((own) => exportSession(id, options, own))();
    });
  sessions
    .command("delete <ids...>")
    .description("delete conversations for good")
    .action(async (ids, options) => {
      const { deleteSessions } = await import("./commands/sessions.ts");
      await run((own) => deleteSessions(ids, options, own))();
    });
  program
    .command("login")
    .description("connect this machine with an account of a Codebuff server")
    .option("--base-url <url>", "the server")
    .option("--key <key>", "keep a key that was made before; - reads it from standard input")
    .option("--no-browser", "print the address instead of opening it")
    .action(async (options) => {
      const { login } = await import("./commands/login.ts");
      await run((own) => login(options, own))();
    });
  program
    .command("logout")
    .description("forget the login of this machine")
    .action(async () => {
      const { logout } = await import("./commands/login.ts");
      await run(logout)();
    });
  program
    .command("publish <ids...>")
    .description("publish agents of .agents/ to the store of the server")
    .option("--base-url <url>", "the server")
    .action(async (ids, options) => {
      const { publish } = await import("./commands/publish.ts");
      await run((own) => publish(ids, options, own))();
    });
  const mcp = program.command("mcp").description("the MCP servers of .agents/mcp.json");
  mcp
    .command("list")
    .description("the configured servers")
    .option("--json", "as JSON")
    .action(async (options) => {
      const { listServers } = await import("./commands/mcp.ts");
      await run((own) => listServers(options, own))();
    });
  mcp
    .command("test [names...]")
    .description("start servers and list their tools")
    .action(async (names, options) => {
      const { testServers } = await import("./commands/mcp.ts");
      await run((own) => testServers(names, options, own))();
    });
  const agents = program.command("agents").description("the agents that can be run here");
  agents
    .command("list")
    .description("shipped agents and those of .agents/")
    .option("--json", "as JSON")
    .action(async (options) => {
      const { listAgents } = await import("./commands/agents.ts");
      await run((own) => listAgents(options, own))();
    });
  agents
    .command("validate")
    .description("check the agents of .agents/")
    .action(async () => {
      const { validateLocalAgents } = await import("./commands/agents.ts");
      await run(validateLocalAgents)();
    });
  program
    .command("config [words...]")
    .description(
      "every setting and where it comes from; get <key>, set <key> <value>, unset <key>, path, schema [file]",
    )
    .option("--project", "set and unset in codebuff.json of this project")
    .option("--json", "as JSON")
    .option("--cwd <dir>", "of that project")
    .action(async (words, options) => {
      const { config } = await import("./commands/config.ts");
      await run((own) => config(words, options, own))();
    });
  program
    .command("permissions [words...]")
    .description("the rules that concern this project; remove <n> takes one back")
    .option("--json", "as JSON")
    .option("--cwd <dir>", "of that project")
    .action(async (words, options) => {
      const { permissions } = await import("./commands/permissions.ts");
      await run((own) => permissions(words, options, own))();
    });
  program
    .command("trust")
    .description("accept the agents, servers, hooks, skills and rules of this project as they are now")
    .option("--list", "what there is, and whether it was accepted")
    .option("--remove", "take back what was accepted")
    .option("-y, --yes", "without a question")
    .option("--json", "the list as JSON")
    .option("--cwd <dir>", "of that project")
    .action(async (options) => {
      const { trust } = await import("./commands/trust.ts");
      await run((own) => trust(options, own))();
    });
  program
    .command("doctor")
    .description("what is found on this machine, and what to do about the rest")
    .option("--json", "as JSON")
    .action(async (options) => {
      const { doctor } = await import("./commands/doctor.ts");
      await run((own) => doctor(options, own))();
    });
  program
    .command("eval [words...]")
    .description("tasks with hidden checks for any agent: starts muster-eval (run, compare, check, report, import)")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words) => {
      const { evaluate } = await import("./commands/eval.ts");
      await run((own) => evaluate(words, own))();
    });
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

const headings = {
  output: "Output",
  mode: "Mode",
  session: "Session",
  limits: "Limits",
  model: "Model",
  agent: "Agent",
  other: "Other",
} as const;

const rootHelp = `
Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY or GEMINI_API_KEY in the environment, or CODEBUFF_API_KEY or
'codebuff login' for a Codebuff server. 'codebuff doctor' tells what is found.

Exit codes: 0 finished, 1 the run failed, 2 wrong usage, 3 no or bad credentials, 4 out of credits, 124 timeout,
130 interrupted, 143 terminated.

Examples:
  codebuff -n "why does the test in src/parse.test.ts fail?"
  cat task.md | codebuff -n
  git diff | codebuff -n "review this"
  codebuff --stream-json --continue "now fix it"
  codebuff --demo "show me"

Guide: docs/codebuff/README.md of the repository. In the chat /help lists every command and key.
`;
