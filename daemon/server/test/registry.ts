import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real npm registry with one version of OpenCode, whose program can do nothing but tell its version. */
export async function startRegistry(version: string) {
  const tarball = packageWith(version);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  let downloads = 0;
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const manifest = { version, dist: { integrity, tarball: `http://127.0.0.1:${port}/opencode.tgz` } };
    if (request.url !== "/opencode.tgz") return void response.end(JSON.stringify(manifest));
    downloads++;
    response.writeHead(200, { "content-length": tarball.length }).end(tarball);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    downloads: () => downloads,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function packageWith(version: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "muster-package-"));
  try {
    mkdirSync(join(folder, "package", "bin"), { recursive: true });
    writeFileSync(join(folder, "package", "package.json"), JSON.stringify({ version }));
    writeFileSync(join(folder, "package", "bin", "opencode"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return execFileSync("tar", ["-czf", "-", "package"], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
