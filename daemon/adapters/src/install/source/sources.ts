import { getText, HttpFailure, type Network } from "../../network/http.ts";
import { parseIntegrity } from "../release/integrity.ts";
import { nameFor, type Platform } from "../release/platform.ts";
import type { Artifact, Ask, NpmSource, Release, VendorSource } from "../release/release.ts";
import { checkVersion } from "../release/version-mismatch.ts";
import type { NpmConfig } from "./npm-config.ts";
import { type NpmManifest, readManifest } from "./npm-manifest.ts";
import { checkSignatures } from "./npm-signatures.ts";
import { askRegistry, manifestUrl, registryHeaders, registryOf, tarballUrl } from "./registry.ts";

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
  const isWanted = manifest.version === wanted.version;
  if (asked !== undefined) checkVersion(wanted.version, manifest.version, "the registry's manifest");
  const integrity = parseIntegrity(manifest.integrity, "npm's dist.integrity");
  if (!integrity) throw new Error(`the registry vouches for ${wanted.name} with no hash that counts`);
  const registry = registryOf(context.config, wanted.name);
  const signature = await checkSignatures(askRegistry(context, registry), manifest);
  const url = tarballUrl(registry, manifest.tarball);
  const program = `package/${source.program(platform)}`;
  return {
    version: isWanted ? newest : manifest.version,
    url,
    headers: registryHeaders(context.config, url),
    packing: "tar.gz",
    integrity: { ...integrity, signature },
    member: program,
    program,
    manifest: { member: "package/package.json", version: manifest.version },
  };
}

async function manifestOf(context: SourceContext, name: string, version: string): Promise<NpmManifest> {
  const registry = registryOf(context.config, name);
  return readManifest(name, await askRegistry(context, registry)(manifestUrl(registry, name, version)));
}
