import { spawn } from "node:child_process";
import { readRegular } from "@muster/node";
import type { KeySource } from "../routes/key-source.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const longestRunMs = 30_000;
const mostOutput = 64 * 1024;

/** Reads keys when they are needed and keeps them until a provider refuses them. */
export class Keys {
  readonly #env: Environment;
  readonly #learn: (secret: string) => void;
  readonly #kept = new Map<string, Promise<string | undefined>>();

  constructor(env: Environment, learn: (secret: string) => void) {
    this.#env = env;
    this.#learn = learn;
  }

  /** Undefined: the source has none. Throws with words when it cannot be read. */
  async read(source: KeySource, provider: string): Promise<string | undefined> {
    if ("token" in source) return source.token;
    if ("env" in source) return this.#env[source.env] || undefined;
    const name = nameOf(source, provider);
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const reading = "file" in source ? readKeyFile(source.file) : this.#run(source.command, provider);
    this.#kept.set(name, reading);
    try {
      const key = await reading;
      if (key !== undefined) this.#learn(key);
      return key;
    } catch (error) {
      this.#kept.delete(name);
      throw error;
    }
  }

  /** A provider refused this key: whether its source may have another one by now. */
  async isRenewed(source: KeySource, provider: string, refused: string): Promise<boolean> {
    if ("token" in source || "env" in source) return false;
    const name = nameOf(source, provider);
    // Of several requests that were refused one asks; the others find the new key.
    if ((await this.#kept.get(name)) === refused) this.#kept.delete(name);
    return (await this.read(source, provider)) !== refused;
  }

  #run(command: string, provider: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const env = { ...this.#env, MUSTER_PROVIDER: provider };
      const child = spawn(command, { shell: true, env, stdio: ["ignore", "pipe", "ignore"], timeout: longestRunMs });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output = `${output}${text}`.slice(0, mostOutput);
      });
      child.once("error", (error) => reject(new Error(`The key command cannot be run: ${error.message}`)));
      child.once("close", (code, signal) => {
        if (code === 0) resolve(output.trim() || undefined);
        else reject(new Error(`The key command for ${provider} ended with ${signal ?? `code ${code}`}`));
      });
    });
  }
}

async function readKeyFile(file: string): Promise<string | undefined> {
  try {
    return (await readRegular(file)).toString("utf8").trim() || undefined;
  } catch (error) {
    throw new Error(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "broken"})`);
  }
}

function nameOf(source: { file: string } | { command: string }, provider: string): string {
  return JSON.stringify([source, "command" in source ? provider : ""]);
}
