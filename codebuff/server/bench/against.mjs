/** Model calls through the server, on each database: for `npm run bench -- --against <folder>`. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSeconds, stop } from "../../../bench/processes.mjs";
import { median } from "../../../bench/statistics.mjs";
import { startChild } from "./children.mjs";
import { startPostgres } from "./postgres.mjs";
import { startGateway } from "./server.mjs";

const provider = fileURLToPath(new URL("./provider.mjs", import.meta.url));
const many = 200;
const singles = 40;
const titles = ["SQLite", "PostgreSQL"];
const figures = {
  cpu: (title) => `gateway, ${title}: server CPU per request, ${many} streams`,
  one: (title) => `gateway, ${title}: first word, 1 stream, p50`,
  many: (title) => `gateway, ${title}: first word, ${many} streams, p50`,
};

export const units = Object.fromEntries(
  titles.flatMap((title) => Object.values(figures).map((name) => [name(title), "ms"])),
);

export async function open({ root }) {
  const home = mkdtempSync(join(tmpdir(), "codebuff-bench-"));
  const agent = new Agent({ keepAlive: true, maxSockets: many });
  const postgres = await startPostgres();
  const [upstream, providerUrl] = await startChild([provider], { home, pattern: /provider (\S+)/ });
  const databases = { SQLite: `sqlite:${join(home, "codebuff.db")}`, PostgreSQL: await postgres?.create() };
  const gateways = new Map();
  for (const [title, databaseUrl] of Object.entries(databases)) {
    if (databaseUrl === undefined) continue;
    gateways.set(title, await startGateway({ root, databaseUrl, providerUrl, home, agent }));
  }
  return {
    async measure() {
      const found = {};
      for (const [title, gateway] of gateways) {
        const one = [];
        for (let n = 0; n < singles; n++) one.push((await gateway.ask()).firstMs);
        const before = await cpuSeconds(gateway.pid);
        const burst = await Promise.all(Array.from({ length: many }, gateway.ask));
        found[figures.cpu(title)] = (1_000 * ((await cpuSeconds(gateway.pid)) - before)) / many;
        found[figures.one(title)] = median(one);
        found[figures.many(title)] = median(burst.map(({ firstMs }) => firstMs));
      }
      return found;
    },
    async close() {
      agent.destroy();
      await Promise.all([...[...gateways.values()].map((gateway) => gateway.stop()), stop(upstream)]);
      await postgres?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
