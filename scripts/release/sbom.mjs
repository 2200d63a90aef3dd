/** What is in a release, as CycloneDX: every package of the lock file that a released one needs, and Bun. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { bunVersion } from "./targets.mjs";

export async function writeSbom({ file, version, time }) {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const components = Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.link && !entry.dev && !entry.devOptional)
    .map(([path, entry]) => componentOf(path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), entry));
  components.push({ ...library("bun", bunVersion), scope: "optional", licenses: [{ license: { id: "MIT" } }] });
  const unique = new Map(components.map((component) => [component["bom-ref"], component]));
  const sorted = [...unique.values()].sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(sorted))}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: "application", "bom-ref": `muster@${version}`, name: "muster", version },
    },
    components: sorted,
  };
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`);
  return file;
}

function componentOf(name, { version, license, integrity, optional }) {
  const [, digest = ""] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    ...library(name, version),
    ...(optional ? { scope: "optional" } : {}),
    ...(digest === "" ? {} : { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }),
    ...(license === undefined ? {} : { licenses: [licence(license)] }),
  };
}

/** An id of SPDX, or an expression of several. */
function licence(text) {
  return /^[\w.-]+$/.test(text) ? { license: { id: text } } : { expression: text };
}

function library(name, version) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, purl };
}

/** The same for the same content: a random one would change the bytes of every build. */
function uuidOf(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
