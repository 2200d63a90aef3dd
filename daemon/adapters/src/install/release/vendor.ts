import { type Integrity, parseSha256 } from "./integrity.ts";
import type { PlatformNames } from "./platform.ts";
import type { Artifact, Ask, VendorSource } from "./release.ts";

export interface BucketLayout {
  platforms: PlatformNames;
  /** A document that holds the newest version and nothing else. */
  latest: string;
  program(version: string, platform: string): string;
  checksum(ask: Ask, version: string, platform: string): Promise<Integrity | undefined>;
  /** What the program is called once installed. */
  command: string;
}

/** Plain programs in a bucket, one folder per version. */
export function bucketSource({ platforms, latest, program, checksum, command }: BucketLayout): VendorSource {
  return {
    kind: "vendor",
    platforms,
    async resolve(ask, platform, asked): Promise<Artifact> {
      const version = asked ?? versionIn(await ask.text(latest), latest);
      const integrity = await checksum(ask, version, platform);
      const url = program(version, platform);
      return { version, url, packing: "plain", member: command, program: command, integrity };
    },
  };
}

export interface GithubLayout {
  platforms: PlatformNames;
  repository: string;
  /** What stands before the version in a tag. */
  tagPrefix: string;
  file(platform: string): { name: string; member: string };
  command: string;
}

/** Archives of a GitHub release: `latest/download` for the newest, `download/{tag}` for a pinned one. */
export function githubSource({ platforms, repository, tagPrefix, file, command }: GithubLayout): VendorSource {
  return {
    kind: "vendor",
    platforms,
    async resolve(ask, platform, asked): Promise<Artifact> {
      const { name, member } = file(platform);
      const releases = `https://api.github.com/repos/${repository}/releases`;
      const page = `https://github.com/${repository}/releases`;
      const tag = `${tagPrefix}${asked}`;
      const text =
        asked === undefined ? await ask.text(`${releases}/latest`) : await ask.optionalText(`${releases}/tags/${tag}`);
      const release = text === undefined ? {} : (JSON.parse(text) as GithubRelease);
      const version = asked ?? versionIn(String(release.tag_name ?? "").replace(tagPrefix, ""), `${releases}/latest`);
      const url = `${page}/${asked === undefined ? "latest/download" : `download/${tag}`}/${name}`;
      const digest = release.assets?.find((asset) => asset.name === name)?.digest?.replace(/^sha256:/, "");
      const integrity = parseSha256(digest, "the digest in GitHub's release");
      return { version, url, packing: "tar.gz", member, program: command, integrity };
    },
  };
}

interface GithubRelease {
  tag_name?: string;
  assets?: { name?: string; digest?: string }[];
}

function versionIn(text: string, from: string): string {
  const version = text.trim();
  if (isVersion(version)) return version;
  throw new Error(`${from} does not name a version`);
}

/** Also the name of a folder: no separators, no way up. */
export function isVersion(text: string): boolean {
  return /^[0-9][0-9A-Za-z.+-]{0,127}$/.test(text);
}
