import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { agentDirectory, dataDirectoryOf, defaultHost, defaultPort } from "../default-places.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { UsageError } from "../environment/exit.ts";
import { gatewayOf, gatewayOptions } from "./gateway-options.ts";
import { installSettings, mirrorOf } from "./install-options.ts";
import { collect, portOf } from "./option-values.ts";
import { serve } from "./serve.ts";

/** `sandbox-daemon serve`, which is also `sandbox-daemon` alone. */
export function serveCommand(environment: CommandEnvironment): Command {
  const command = new Command("serve").description("Starts the daemon");
  const tokenFlags = new Set<string>();
  for (const option of serveOptions(environment)) command.addOption(option);
  command.on("option:token", () => tokenFlags.add("--token"));
  command.on("option:no-token", () => tokenFlags.add("--no-token"));
  command.addHelpText("after", examples);
  return command.action(async () => {
    if (tokenFlags.size > 1) throw new UsageError("give either --token or --no-token, not both");
    const given = command.opts();
    const { env, stdin, stdout } = environment;
    const gateway = gatewayOf(given);
    const token = given.token === false ? undefined : (given.token ?? (env.SANDBOX_DAEMON_TOKEN || undefined));
    await serve(
      {
        host: given.host,
        port: given.port,
        token,
        noToken: given.token === false,
        allowUnauthenticatedNetwork: given.allowUnauthenticatedNetwork === true,
        dataDirectory: resolve(given.dataDir),
        durability: given.durability,
        keepRaw: given.raw,
        snapshots: given.snapshots,
        retainDays: given.retain,
        logLevel: given.logLevel,
        corsOrigins: given.corsOrigin ?? [],
        allowedHosts: given.allowedHost ?? [],
        install: installSettings(given.agentSource ?? [], given.agentMirror),
        agentUser: given.agentUser,
        roots: given.root,
        noFiles: given.files === false,
        defaultDirectory: agentDirectory(environment),
        gateway,
        sandbox: { processes: given.processes, terminals: given.terminals, ports: given.ports },
        env,
        metricsToken: given.metricsToken ?? (env.SANDBOX_DAEMON_METRICS_TOKEN || undefined),
      },
      stdout,
      given.untilStdinEnds === true ? stdin : undefined,
    );
  });
}

function serveOptions(environment: CommandEnvironment): Option[] {
  return [
    new Option("--host <host>", "the address to listen on").default(defaultHost),
    new Option("--port <port>", "the port to listen on; 0 takes a free one").argParser(portOf).default(defaultPort),
    new Option(
      "--token <token>",
      "clients must send this token; default: SANDBOX_DAEMON_TOKEN, or one that is made",
    ).argParser(tokenOf),
    new Option("--no-token", "clients need no token"),
    new Option(
      "--metrics-token <token>",
      "reads /metrics and nothing else, for a monitor; default: SANDBOX_DAEMON_METRICS_TOKEN",
    ).argParser(tokenOf),
    new Option("--allow-unauthenticated-network", "allows --no-token on an address others can reach"),
    new Option("--data-dir <path>", "where sessions are kept").default(dataDirectoryOf(environment)),
    new Option("--durability <mode>", "when an event counts as safe")
      .choices(["batch", "sync", "none"])
      .default("batch"),
    new Option("--no-raw", "keeps none of the agents' own messages"),
    new Option("--no-snapshots", "takes no snapshots of the directories; files cannot be rewound then"),
    new Option(
      "--retain <days>",
      "removes sessions that ended, or were idle, this many days ago; never one with a turn, a message or a question open",
    ).argParser(daysOf),
    new Option("--log-level <level>", "what is logged")
      .choices(["debug", "info", "warn", "error", "silent"])
      .default("info"),
    new Option("--cors-origin <origin>", "a web page that may call the daemon (repeatable)").argParser(collect),
    new Option("--until-stdin-ends", "stops when its standard input ends, and thus with the program that started it"),
    new Option("--agent-user <name>", "runs agents as this user, who cannot read the token (needs root)"),
    new Option("--no-processes", "clients start no processes here, and no terminals"),
    new Option("--no-terminals", "clients start no terminals here"),
    new Option("--no-ports", "clients see nothing of the ports that processes listen on"),
    new Option(
      "--root <path>",
      "a directory under which clients may reach files; default: those the sessions work in (repeatable)",
    ).argParser((path: string, previous?: string[]) => collect(resolve(path), previous)),
    new Option("--no-files", "clients reach no files"),
    new Option("--allowed-host <host>", "a further name the daemon is called by (repeatable)").argParser(collect),
    new Option(
      "--agent-source <agent=source>",
      "where an agent comes from, instead of PATH and its usual sources: vendor, npm or path:<file> (repeatable, in order)",
    ).argParser(collect),
    new Option(
      "--agent-mirror <url>",
      "asked instead of the vendors: https://host/path becomes <url>/host/path",
    ).argParser(mirrorOf),
    ...gatewayOptions(),
  ];
}

function tokenOf(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError("A token is plain printable characters without spaces.");
}

function daysOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Not a number of days above 0.");
}

const examples = `
Examples:
  sandbox-daemon
  sandbox-daemon --port 0 --no-token
  SANDBOX_DAEMON_TOKEN="$(openssl rand -hex 32)" sandbox-daemon serve --host 0.0.0.0 --allowed-host box.example
`;
