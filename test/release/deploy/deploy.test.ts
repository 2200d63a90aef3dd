import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

it.each(["deploy/docker-compose.yml", "deploy/kubernetes.yaml", ".github/workflows/release.yml"])(
  "%s is YAML",
  (path) => {
    const documents = parseAllDocuments(read(path));
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) expect("errors" in document ? document.errors : []).toEqual([]);
  },
);

it("every option the files for deployment give the daemon is one it has", () => {
  const help = execFileSync(process.execPath, [`${root}/daemon/cli/bin/sandbox-daemon.cjs`, "serve", "--help"], {
    encoding: "utf8",
  });
  const files = [
    "Dockerfile",
    "Dockerfile.distroless",
    "docker-compose.yml",
    "sandbox-daemon.service",
    "kubernetes.yaml",
  ];
  const starts = files.flatMap((file) =>
    read(`deploy/${file}`)
      .split("\n")
      .filter((line) => /ENTRYPOINT|ExecStart|args:/.test(line)),
  );
  expect(starts.length).toBe(4);
  for (const [option] of starts.join("\n").matchAll(/--[a-z-]{3,}/g)) expect(help).toContain(option);
});

it("the workflow releases by the same command as anybody", () => {
  const { scripts } = JSON.parse(read("package.json"));
  expect(scripts.release).toBe("node scripts/release.mjs");
  expect(read(".github/workflows/release.yml")).toContain("npm run release -- --all");
});
