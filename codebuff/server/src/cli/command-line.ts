import { redactShapes } from "@muster/core";
import { Command, CommanderError } from "commander";
import { type Config, readConfig } from "../config.ts";
import { openDatabase } from "../database/open.ts";
import type { Database } from "../database/tables.ts";
import { Refusal } from "../refusal.ts";
import { version } from "../version.ts";
import { addAdminCommands } from "./admin-commands.ts";
import { doctor } from "./doctor.ts";
import { serve } from "./serve.ts";

export interface Surroundings {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export interface Tools {
  readonly surroundings: Surroundings;
  config(): Config;
  /** Opens the database, does the work, closes it. */
  withDatabase<Result>(work: (database: Database, config: Config) => Promise<Result>): Promise<Result>;
  /** JSON with `--json`, else one line per field or row. */
  print(value: object): void;
}

/** Resolves to the exit code: 0 good, 1 it did not work, 2 asked wrong. */
export async function runCommandLine(surroundings: Surroundings): Promise<number> {
  const { args, env, stdout, stderr } = surroundings;
  let code = 0;
  const program = new Command("codebuff-server")
    .description("Accounts, credits, runs and the model gateway of Codebuff")
    .version(version)
    .option("--json", "print JSON")
    .option("--data <directory>", "data directory (CODEBUFF_SERVER_DATA, ~/.codebuff-server)")
    .option("--database <url>", "sqlite:<file> or postgres://… (DATABASE_URL)")
    .addHelpText("after", configuration)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });

  const config = () => {
    const { data, database } = program.opts<{ data?: string; database?: string }>();
    return readConfig({
      ...env,
      ...(data === undefined ? {} : { CODEBUFF_SERVER_DATA: data }),
      ...(database === undefined ? {} : { DATABASE_URL: database }),
    });
  };
  const tools: Tools = {
    surroundings,
    config,
    async withDatabase(work) {
      const settings = config();
      const database = await openDatabase(settings.databaseUrl);
      try {
        return await work(database, settings);
      } finally {
        await database.close();
      }
    },
    print(value) {
      const isJson = program.opts<{ json?: boolean }>().json === true;
      stdout.write(`${isJson ? JSON.stringify(value) : lines(value)}\n`);
    },
  };

  program
    .command("serve", { isDefault: true })
    .description("serve; the first start makes the database, an admin and a key")
    .option("--port <port>", "0 takes a free one (PORT, 8787)")
    .option("--host <address>", "(HOST, 127.0.0.1)")
    .option("--demo", "answer from a scripted model, offline")
    .allowExcessArguments()
    .action(async (options, { args: [word] }: Command) => {
      // It is the default, so whatever is no command ends up here.
      if (word !== undefined) program.error(`error: unknown command '${word}' (see codebuff-server --help)`);
      code = await serve(tools, options);
    });
  program
    .command("doctor")
    .description("check database, ledger, providers and clock")
    .action(async () => {
      code = await doctor(tools);
    });
  addAdminCommands(program, tools);

  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Refusal || error instanceof TypeError) {
      stderr.write(`codebuff-server: ${redactShapes(error.message)}\n`);
      return error instanceof TypeError ? 2 : 1;
    }
    stderr.write(
      `codebuff-server: ${redactShapes(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
    return 1;
  }
}

const configuration = `
Configuration by environment (flags win):
  HOST, PORT                    where it listens (127.0.0.1, 8787)
  PUBLIC_URL                    where people reach it, behind a proxy (the address that was called)
  DATABASE_URL                  sqlite:<file> or postgres://… (codebuff.db in the data directory)
  CODEBUFF_SERVER_DATA          the data directory (~/.codebuff-server)
  OPENROUTER_API_KEY            each provider is off without its key
  OPENAI_API_KEY
  FIREWORKS_API_KEY
  OPENROUTER_BASE_URL           without the version path (https://openrouter.ai/api); likewise
  OPENAI_BASE_URL               (https://api.openai.com)
  FIREWORKS_BASE_URL            (https://api.fireworks.ai/inference)
  AGENT_MODE_MODEL              the model of agent mode (google/gemini-2.5-pro)
  FREE_CREDITS_PER_MONTH        for people made without --credits (500)
  PRICES_FILE                   JSON, {"vendor/model": {"input": 3, "output": 15}}: dollars per million tokens, before ours
  SUPPORT_AGENT_FREE_BELOW      calls of support agents that cost fewer credits are free (5; 0: none)
  REQUESTS_PER_MINUTE           model calls per key; 0 is no limit (0)
  TRUSTED_PROXIES               addresses and ranges whose X-Forwarded-For counts (none)
  TRUSTED_HOPS                  how many proxies stand in front, where their addresses are not known (0)
  COUNTRY_HEADER                in which such a proxy tells the country (cf-ipcountry)
  FREE_MODE_COUNTRIES           where free mode is offered (US CA GB AU NZ NO SE NL DK DE FI BE LU CH IE IS)
  FREE_MODE_REFUSES_UNKNOWN     1: not where the country is unknown (0)
  FREE_MODE_PER_MINUTE          calls of free mode per account; 0 is no limit (30)
  FREE_MODE_PER_DAY             likewise (1000)
  WEB_SEARCH_URL                a service that takes the body and answers {result}; off without
  DOCS_SEARCH_URL
  METRICS_TOKEN                 who has it may read /metrics; without one only this machine
  LOG_LEVEL                     debug, info, warn, error, silent (info)
  OTEL_EXPORTER_OTLP_ENDPOINT   where traces go (nowhere)

Try it offline:  codebuff-server serve --demo --port 0
`;

/** A table with a head for a list of rows, `name: value` for one. */
function lines(value: object): string {
  if (Array.isArray(value)) {
    const [first] = value as object[];
    if (first === undefined) return "none";
    const rows = [Object.keys(first), ...value.map((row: object) => Object.values(row).map((field) => field ?? "-"))];
    const widths = Object.keys(first).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
    return rows
      .map((row) => row.map((field, column) => String(field).padEnd(widths[column] ?? 0)).join("  "))
      .map((line) => line.trimEnd())
      .join("\n");
  }
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${typeof field === "object" ? JSON.stringify(field) : String(field)}`)
    .join("\n");
}
