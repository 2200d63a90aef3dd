import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PackedPackage {
  file: string;
  manifest: { name: string; version: string } & Record<string, unknown>;
}

/**
 * A registry on this machine that has our packages as if they were published, and sends whoever asks for others to the one
 * that npm is set to.
 */
export class LoopbackRegistry {
  readonly #server: Server;
  readonly #packages: ReadonlyMap<string, PackedPackage>;
  readonly #upstream: string;
  /** What was asked for of ours and is not there. */
  readonly missing: string[] = [];

  private constructor(packages: readonly PackedPackage[], upstream: string) {
    this.#packages = new Map(packages.map((one) => [one.manifest.name, one]));
    this.#upstream = upstream.replace(/\/$/, "");
    this.#server = createServer(({ url = "/" }, response) => this.#answer(decodeURIComponent(url).slice(1), response));
  }

  static async start(packages: readonly PackedPackage[], upstream: string): Promise<LoopbackRegistry> {
    const registry = new LoopbackRegistry(packages, upstream);
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string, response: ServerResponse): void {
    const [name, tarball] = path.split("/-/", 2) as [string, string?];
    const found = this.#packages.get(name);
    if (found !== undefined) {
      if (tarball !== undefined) response.end(readFileSync(found.file));
      else response.setHeader("content-type", "application/json").end(JSON.stringify(this.#packument(found)));
    } else if (name.startsWith("@muster/")) {
      this.missing.push(name);
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
    } else {
      response.writeHead(302, { location: `${this.#upstream}/${path.replace(/^(@[^/]+)\//, "$1%2f")}` }).end();
    }
  }

  #packument({ file, manifest }: PackedPackage): object {
    const bytes = readFileSync(file);
    const digest = (algorithm: string, form: "hex" | "base64") => createHash(algorithm).update(bytes).digest(form);
    const dist = {
      tarball: `${this.url}/${manifest.name}/-/${manifest.name.split("/")[1]}-${manifest.version}.tgz`,
      shasum: digest("sha1", "hex"),
      integrity: `sha512-${digest("sha512", "base64")}`,
    };
    const { version } = manifest;
    const time = {
      created: "2026-01-01T00:00:00.000Z",
      modified: "2026-01-01T00:00:00.000Z",
      [version]: "2026-01-01T00:00:00.000Z",
    };
    return {
      name: manifest.name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, dist } },
      time,
    };
  }
}
