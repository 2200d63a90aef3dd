import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@muster/client";

const command = fileURLToPath(new URL("../../../daemon/cli/bin/sandbox-daemon.cjs", import.meta.url));

/** A real daemon with the built-in agent, which can be started again on the same data. */
export class Daemon {
  readonly home: string;
  #child: ChildProcess | undefined;
  #endpoint = "";

  static async make(): Promise<Daemon> {
    const daemon = new Daemon(await realpath(await mkdtemp(join(tmpdir(), "muster-ai-sdk-"))));
    await daemon.start();
    return daemon;
  }

  private constructor(home: string) {
    this.home = home;
  }

  get endpoint(): string {
    return this.#endpoint;
  }

  get client(): Client {
    return createClient({ endpoint: this.#endpoint });
  }

  async start(): Promise<void> {
    const args = [command, "--port", "0", "--no-token", "--data-dir", join(this.home, "data")];
    const env = { PATH: process.env.PATH, HOME: this.home };
    const child = spawn(process.execPath, args, { env, cwd: this.home, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#endpoint = await new Promise((resolve, reject) => {
      let said = "";
      const listen = (text: string) => {
        said += text;
        const [, url] = /listens on (http:\S+)\n/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      };
      child.stdout.setEncoding("utf8").on("data", listen);
      child.stderr.setEncoding("utf8").on("data", listen);
      child.once("exit", () => reject(new Error(`The daemon ended: ${said}`)));
    });
  }

  async stop(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await exit;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}
