import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

export interface PostgresCluster {
  /** The database that is always there. */
  readonly url: string;
  /** A new empty database; its URL. */
  create(): Promise<string>;
  stop(): Promise<void>;
}

export interface OwnPostgres extends PostgresCluster {
  readonly port: number;
  /** Ends it as `pg_ctl stop` does; its data stay. */
  halt(mode: "fast" | "immediate"): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  /** A second one that follows this one and loses nothing that was committed; `promote` makes it the first. */
  follow(): Promise<OwnPostgres & { promote(): void }>;
}

/**
 * A PostgreSQL of our own in a temporary folder, on a free port of 127.0.0.1. Debian's package `postgresql` is installed when
 * it is missing and this process may do so; otherwise it is thrown why there is none.
 */
export async function startPostgres(): Promise<OwnPostgres> {
  const bin = binaries() ?? install();
  const folder = mkdtempSync(join(tmpdir(), "muster-postgres-"));
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  run([join(bin, "initdb"), "-D", data, "-U", "codebuff", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
  return serveFolder(bin, folder, data);
}

async function serveFolder(bin: string, folder: string, data: string): Promise<OwnPostgres> {
  const port = await freePort();
  const settings = { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "240" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [command = "", ...args] = unprivileged([join(bin, "postgres"), "-D", data, "-p", String(port), ...flags]);
  const url = (name: string) => `postgres://codebuff@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | undefined;
  const kill = () => server?.kill("SIGKILL");
  process.once("exit", kill);
  const resume = async () => {
    server = spawn(command, args, { stdio: "ignore", cwd: folder });
    await answers(server, url("postgres")).catch((error: unknown) => {
      kill();
      throw error;
    });
  };
  const halt = async (mode: "fast" | "immediate") => {
    if (!server || server.exitCode !== null) return;
    const exited = once(server, "exit");
    const [program = "", ...stop] = unprivileged([join(bin, "pg_ctl"), "-D", data, "-m", mode, "stop"]);
    // Not waited for: whoever uses it goes on using it meanwhile.
    spawn(program, stop, { stdio: "ignore", cwd: "/" });
    await exited;
  };
  await resume();
  return {
    ...usePostgres(url("postgres")),
    port,
    halt,
    resume,
    async follow() {
      const copy = mkdtempSync(join(tmpdir(), "muster-postgres-"));
      chmodSync(copy, 0o777);
      const copied = join(copy, "data");
      run([join(bin, "pg_basebackup"), "-D", copied, "-R", "--no-sync", "-c", "fast", "-d", url("postgres")]);
      const follower = await serveFolder(bin, copy, copied);
      for (const text of ["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"]) {
        await withClient(url("postgres"), (client) => client.query(text));
      }
      return { ...follower, promote: () => run([join(bin, "pg_ctl"), "-D", copied, "-w", "promote"]) };
    },
    async stop() {
      process.off("exit", kill);
      await halt("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let count = 0;

/** A cluster that somebody else has started: `stop` only takes away what was made here. */
export function usePostgres(url: string): PostgresCluster {
  const made: string[] = [];
  return {
    url,
    async create() {
      const name = `test_${process.pid}_${Date.now()}_${++count}`;
      await withClient(url, (client) => client.query(`create database ${name}`));
      made.push(name);
      return url.replace(/[^/]*$/, name);
    },
    stop: () =>
      withClient(url, async (client) => {
        for (const name of made.splice(0)) await client.query(`drop database ${name} with (force)`);
      }),
  };
}

function binaries(): string | undefined {
  const base = "/usr/lib/postgresql";
  const versions = existsSync(base) ? readdirSync(base).sort((one, other) => Number(other) - Number(one)) : [];
  return versions.map((version) => join(base, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
}

function install(): string {
  if (process.getuid?.() === 0) {
    spawnSync("apt-get", ["update"], { stdio: "ignore", timeout: 120_000 });
    spawnSync("apt-get", ["install", "-y", "postgresql"], { stdio: "ignore", timeout: 300_000 });
  }
  const bin = binaries();
  if (bin === undefined) throw new Error("These tests need PostgreSQL: apt-get install -y postgresql");
  return bin;
}

/** initdb and postgres refuse to run as root. */
function unprivileged(command: readonly string[]): string[] {
  return process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : [...command];
}

function run(command: readonly string[]): void {
  const [program = "", ...args] = unprivileged(command);
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"], timeout: 60_000, cwd: "/" });
}

async function answers(server: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(50)) {
    if (server.exitCode !== null) throw new Error(`postgres ended with exit code ${server.exitCode}`);
    const isUp = await withClient(url, (client) => client.query("select 1")).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
  throw new Error("PostgreSQL did not answer within a minute");
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
