import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { createSession } from "../people/sessions.ts";
import { createUser } from "../people/users.ts";
import { Refusal } from "../refusal.ts";
import { startServer } from "../server.ts";
import type { Service } from "../service.ts";
import type { Tools } from "./command-line.ts";
import { type Demo, startDemoModel } from "./demo.ts";

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly demo?: boolean;
}

/** Serves until it is told to stop; resolves to the exit code. */
export async function serve(tools: Tools, options: ServeOptions): Promise<number> {
  const { stdout, env } = tools.surroundings;
  const demo = options.demo === true ? await startDemo() : undefined;
  try {
    const config = withFlags(demo ? demoConfig(tools, demo) : tools.config(), options, env);
    const server = await startServer({ config, env });
    // Before the line with the address: whoever reads it may stop this process at once.
    const stopping = stopSignal();
    const key = await makeFirstUser(server.service, (text) => stdout.write(text));
    if (isWithoutProviders(config)) stdout.write("No provider has a key, so every model answers 503: see --help\n");
    stdout.write(`Codebuff server: ${server.url}\n`);
    if (demo && key !== undefined) stdout.write(demoText(server.url, key));
    const signal = await stopping;
    await server.close();
    return signal === "SIGINT" ? 130 : 143;
  } finally {
    await demo?.close();
  }
}

function isWithoutProviders({ providers }: Config): boolean {
  return Object.values(providers).every(({ apiKey }) => apiKey === undefined);
}

/** A database without anybody gets an admin; the key is printed here and never again. */
async function makeFirstUser(service: Service, print: (text: string) => void): Promise<string | undefined> {
  const { database, config } = service;
  const at = Date.now();
  const anybody = await database.db.selectFrom("user").select("id").limit(1).executeTakeFirst();
  if (anybody) return undefined;
  const email = "admin@localhost";
  const { freeCreditsPerMonth } = config;
  const user = await createUser(database, { email, role: "admin", freeCreditsPerMonth, at }).catch((error: unknown) => {
    // Another instance that starts at the same time was first: it prints the key.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  if (!user) return undefined;
  const { secret } = await createSession(database.db, { userId: user.id, kind: "pat", name: "first", at });
  print(`Admin user: ${email} (${user.id})\nAPI key, shown only once: ${secret}\n`);
  return secret;
}

function demoText(url: string, key: string): string {
  return `
Try it (the model is scripted, nothing leaves this machine):
  RUN=$(curl -s ${url}/api/v1/agent-runs -H 'Authorization: Bearer ${key}' \\
    -d '{"action":"START","agentId":"base2"}' | sed 's/.*"runId":"\\([^"]*\\)".*/\\1/')
  curl -N ${url}/api/v1/chat/completions -H 'Authorization: Bearer ${key}' \\
    -d '{"model":"anthropic/claude-sonnet-4.5","stream":true,"messages":[{"role":"user","content":"Hello"}],"codebuff_metadata":{"run_id":"'$RUN'"}}'
`;
}

interface RunningDemo extends Demo {
  readonly directory: string;
}

/** Everything a demo makes is gone with it. */
async function startDemo(): Promise<RunningDemo> {
  const model = await startDemoModel();
  const directory = mkdtempSync(join(tmpdir(), "codebuff-demo-"));
  return {
    ...model,
    directory,
    async close() {
      await model.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function demoConfig(tools: Tools, { url, directory }: RunningDemo): Config {
  const { env } = tools.surroundings;
  const config = readConfig({ ...env, CODEBUFF_SERVER_DATA: directory, DATABASE_URL: undefined });
  const provider = { baseUrl: url, apiKey: "demo" };
  return { ...config, providers: { openrouter: provider, openai: provider, fireworks: provider } };
}

function withFlags(config: Config, { port, host }: ServeOptions, env: NodeJS.ProcessEnv): Config {
  if (port === undefined && host === undefined) return config;
  const checked = readConfig({ ...env, PORT: port ?? String(config.port), HOST: host ?? config.host });
  return { ...config, port: checked.port, host: checked.host };
}

function stopSignal(): Promise<"SIGINT" | "SIGTERM"> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve("SIGINT"));
    process.once("SIGTERM", () => resolve("SIGTERM"));
  });
}
