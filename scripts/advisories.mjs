/**
 * `npm run advisories`: holds the lock file against the known advisories of scripts/advisories.json, without a network. With
 * `--audit` the registry is asked too (`npm audit`), and what it knows and the list does not is printed as rows for the list.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./prepare.mjs";

/** A list this old says little about today. */
const staleDays = 90;

/** The advisories that hit a locked version and were not accepted: `{ id, package, version, severity, title }`. */
export async function findAdvisories(lock, { advisories, accepted }) {
  const { default: semver } = await import("semver");
  const known = new Set(accepted.map(({ id }) => id));
  const locked = Object.entries(lock.packages).flatMap(([path, { version, link }]) => {
    const at = path.lastIndexOf("node_modules/");
    return at < 0 || link || version === undefined ? [] : [{ name: path.slice(at + "node_modules/".length), version }];
  });
  return advisories
    .filter(({ id }) => !known.has(id))
    .flatMap(({ id, package: name, vulnerable, severity, title }) =>
      locked
        .filter((one) => one.name === name && semver.satisfies(one.version, vulnerable, { includePrerelease: true }))
        .map(({ version }) => ({ id, package: name, version, severity, title })),
    );
}

/** What `npm audit` reports, as rows of the list. Throws where the registry does not answer. */
function askRegistry() {
  const { stdout } = spawnSync("npm", ["audit", "--json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { vulnerabilities } = JSON.parse(stdout || "{}");
  if (vulnerabilities === undefined) throw new Error("The registry answers no audits");
  const told = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one === "object"));
  return told.map(({ url, name, range, severity, title }) => {
    return { id: url.slice(url.lastIndexOf("/") + 1), package: name, vulnerable: range, severity, title };
  });
}

async function main() {
  const list = JSON.parse(readFileSync(join(root, "scripts/advisories.json"), "utf8"));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const hits = await findAdvisories(lock, list);
  for (const { id, package: name, version, severity, title } of hits) {
    process.stdout.write(`${severity}: ${name}@${version}: ${title} (${id})\n`);
  }
  const days = Math.floor((Date.now() - Date.parse(list.checked)) / 86_400_000);
  const age = days > staleDays ? `; the list is ${days} days old, npm run advisories -- --audit renews it` : "";
  process.stdout.write(`${list.advisories.length} advisories of ${list.checked}, ${hits.length} of them here${age}\n`);
  const news = process.argv.includes("--audit") ? askRegistry().filter(({ id }) => !isListed(list, id)) : [];
  for (const row of news) process.stdout.write(`new: ${JSON.stringify(row)}\n`);
  process.exitCode = hits.length + news.length > 0 ? 1 : 0;
}

function isListed({ advisories, accepted }, id) {
  return [...advisories, ...accepted].some((one) => one.id === id);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  });
}
