import { getText, HttpFailure, type Network } from "../network/http.ts";
import { parseIntegrity } from "./integrity.ts";
import type { NpmConfig } from "./npm-config.ts";
import { nameFor, type Platform } from "./platform.ts";
import { manifestUrl, registryHeaders, registryOf, tarballUrl } from "./registry.ts";
import type { Artifact, Ask, NpmSource, Release, VendorSource } from "./release.ts";
import { isVersion } from "./vendor.ts";

export interface SourceContext {
  network: Network;
  config: NpmConfig;
  platform: Platform;
  mirror?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The file to download for this machine: of the pinned version, or of the newest. */
export async function resolveArtifact(
  context: SourceContext,
  release: Release,
  source: VendorSource | NpmSource,
  version: string | undefined,
): Promise<Artifact> {
  const platform = nameFor(source.platforms, context.platform);
  if (platform === undefined) throw new Error(`${release.name} has no build for ${context.platform} here`);
  if (source.kind === "npm") return await resolveNpm(context, source, platform, version);
  const artifact = await source.resolve(askVia(context), platform, version);
  return { ...artifact, url: mirrorUrl(context.mirror, artifact.url) };
}

/** `https://host/path` is `<mirror>/host/path`. */
function mirrorUrl(mirror: string | undefined, url: string): string {
  if (mirror === undefined) return url;
  return `${mirror.replace(/\/+$/, "")}/${url.replace(/^https:\/\//, "")}`;
}

function askVia({ network, mirror, signal }: SourceContext): Ask {
  const text = (url: string) => getText(network, mirrorUrl(mirror, url), { signal });
  return { text, optionalText: (url) => text(url).catch(undefinedIfMissing) };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof HttpFailure && error.status === 404) return undefined;
  throw error;
}

async function resolveNpm(
  context: SourceContext,
  source: NpmSource,
  platform: string,
  asked: string | undefined,
): Promise<Artifact> {
  const newest = asked ?? (await manifestOf(context, source.wrapper, "latest")).version;
  const wanted = source.packageOf(platform, newest);
  const manifest = await manifestOf(context, wanted.name, wanted.version).catch(async (error: unknown) => {
    undefinedIfMissing(error);
    if (asked !== undefined || wanted.name === source.wrapper) throw error;
    // A new wrapper may be published before the packages of its platforms.
    return await manifestOf(context, wanted.name, "latest");
  });
  const version = manifest.version === wanted.version ? newest : manifest.version;
  const integrity = parseIntegrity(manifest.integrity, "npm's dist.integrity");
  if (!integrity) throw new Error(`the registry vouches for ${wanted.name} with no hash that counts`);
  const registry = registryOf(context.config, wanted.name);
  const url = tarballUrl(registry, manifest.tarball);
  const headers = registryHeaders(context.config, url);
  const program = `package/${source.program(platform)}`;
  return { version, url, headers, packing: "tar.gz", integrity, member: program, program };
}

async function manifestOf({ network, config, signal }: SourceContext, name: string, version: string) {
  const url = manifestUrl(registryOf(config, name), name, version);
  const text = await getText(network, url, { headers: registryHeaders(config, url), signal });
  const manifest = JSON.parse(text) as { version?: unknown; dist?: { integrity?: unknown; tarball?: unknown } };
  const { integrity = "", tarball } = manifest.dist ?? {};
  if (typeof manifest.version !== "string" || !isVersion(manifest.version) || typeof tarball !== "string") {
    throw new Error(`the registry's answer about ${name} cannot be read`);
  }
  return { version: manifest.version, tarball, integrity: String(integrity) };
}
