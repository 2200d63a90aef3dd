import { parseSha256 } from "../install/release/integrity.ts";
import type { Ask, NpmSource, Release } from "../install/release/release.ts";
import { bucketSource } from "../install/release/vendor.ts";

const bucket =
  "https://storage.googleapis.com/claude-code-dist-86c565f3-f756-42ad-8dfa-d59b1c096819/claude-code-releases";

const platforms = {
  "linux-x64": "linux-x64",
  "linux-x64-musl": "linux-x64-musl",
  "linux-arm64": "linux-arm64",
  "linux-arm64-musl": "linux-arm64-musl",
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
};

const npm: NpmSource = {
  kind: "npm",
  wrapper: "@anthropic-ai/claude-code",
  platforms,
  packageOf: (platform, version) => ({ name: `@anthropic-ai/claude-code-${platform}`, version }),
  program: () => "claude",
};

export const claudeRelease: Release = {
  id: "claude",
  name: "Claude Code",
  command: "claude",
  tested: "2.1.325",
  majors: [2],
  sources: [
    bucketSource({
      platforms,
      command: "claude",
      latest: `${bucket}/latest`,
      program: (version, platform) => `${bucket}/${version}/${platform}/claude`,
      checksum: checksumInManifest,
    }),
    npm,
  ],
};

async function checksumInManifest(ask: Ask, version: string, platform: string) {
  const text = await ask.optionalText(`${bucket}/${version}/manifest.json`);
  if (text === undefined) return undefined;
  const { platforms = {} } = JSON.parse(text) as { platforms?: Record<string, { checksum?: unknown }> };
  return parseSha256(platforms[platform]?.checksum, "the vendor's manifest");
}
