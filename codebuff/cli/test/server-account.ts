import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../server/bin/codebuff-server.cjs", import.meta.url));
const execute = promisify(execFile);

/** A person with credits at a server whose instances share one database and one address. */
export async function openAccount(world: { home: string; llm: { url: string } }, serverEnv: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    CODEBUFF_SERVER_DATA: join(world.home, "server"),
    OPENROUTER_API_KEY: "sk-or-fake",
    OPENROUTER_BASE_URL: world.llm.url,
    ...serverEnv,
  };
  const admin = async (...args: string[]) =>
    JSON.parse((await execute(process.execPath, [program, ...args, "--json"], { env })).stdout) as unknown;
  const person = (await admin("users", "create", "--email", "ann@example.com", "--credits", "50000")) as {
    apiKey: string;
  };
  return {
    admin,
    env: {
      ANTHROPIC_API_KEY: undefined,
      ANTHROPIC_BASE_URL: undefined,
      CODEBUFF_API_KEY: person.apiKey,
      CODEBUFF_BASE_URL: `http://127.0.0.1:${port}`,
    },
    /** Starts an instance; resolves when it listens. */
    async serve() {
      const server = spawn(process.execPath, [program, "serve", "--port", String(port)], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      const exited = once(server, "exit");
      const kill = async (signal: NodeJS.Signals) => {
        server.kill(signal);
        await exited;
      };
      onTestFinished(() => kill("SIGKILL"));
      let text = "";
      for await (const piece of server.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
        text += String(piece);
        if (text.includes("Codebuff server: http")) break;
      }
      server.stdout.resume();
      return { kill };
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("No port");
  return address.port;
}
