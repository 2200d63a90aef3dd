import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPrograms } from "./debian-packages.ts";

/** Debian's prometheus and promtool, or the reason why there are none. */
export function installPrometheus(): { reason: string } | undefined {
  return installPrograms({ prometheus: "prometheus", promtool: "prometheus" });
}

/** What promtool says of a text for Prometheus: nothing, when nothing is wrong with it. */
export function checkMetrics(text: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}

export interface Prometheus {
  /** The series that a query gives at this moment. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Resolves when the target has been scraped this often. */
  scraped(times: number): Promise<void>;
  stop(): Promise<void>;
}

/** A Prometheus of our own that scrapes one target four times a second. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "muster-prometheus-"));
  const job = { job_name: "daemon", static_configs: [{ targets: [target] }] };
  // YAML is JSON too.
  await writeFile(
    join(folder, "prometheus.yml"),
    JSON.stringify({ global: { scrape_interval: "250ms", scrape_timeout: "250ms" }, scrape_configs: [job] }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const args = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", `--web.listen-address=${address}`];
  const child = spawn("prometheus", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("Server is ready to receive web requests")) resolve();
    });
    void exited.then(() => reject(new Error(said)));
  });
  const query: Prometheus["query"] = async (expression) => {
    const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query: expression })}`);
    const answer = (await response.json()) as { status: string; error?: string; data: { result: never[] } };
    if (answer.status !== "success") throw new Error(`${expression}: ${answer.error}`);
    return answer.data.result;
  };
  return {
    query,
    async scraped(times) {
      const deadline = Date.now() + 60_000;
      const counted = async () => Number((await query('count_over_time(up{job="daemon"}[1h])'))[0]?.value[1] ?? 0);
      while ((await counted()) < times) {
        if (Date.now() > deadline) throw new Error(`Not scraped ${times} times: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
