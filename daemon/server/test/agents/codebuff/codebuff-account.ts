import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../../../../codebuff/server/bin/codebuff-server.cjs", import.meta.url));
const execute = promisify(execFile);

export interface Account {
  url: string;
  key: string;
  /** A command of whoever runs the server. */
  admin(...args: string[]): Promise<unknown>;
}

/** The real `codebuff-server` with this model behind it, and a person with credits there; gone when the test has finished. */
export async function openAccount({
  model,
  folder,
  credits,
}: {
  model: string;
  folder: string;
  credits: number;
}): Promise<Account> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CODEBUFF_SERVER_DATA: join(folder, "server"),
    OPENROUTER_API_KEY: "sk-or-fake",
    OPENROUTER_BASE_URL: model,
  };
  const admin = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await execute(process.execPath, [program, ...args, "--json"], { env })).stdout);
  const person = (await admin("users", "create", "--email", "ann@example.com", "--credits", String(credits))) as {
    apiKey: string;
  };
  return { url: await serve(env), key: person.apiKey, admin };
}

async function serve(env: NodeJS.ProcessEnv): Promise<string> {
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await exited;
  });
  let words = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    words += text;
  });
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const [, url] = /Codebuff server: (\S+)\n/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    void exited.then(([code]) => reject(new Error(`codebuff-server ended with ${code}: ${words.slice(-1000)}`)));
  });
}
