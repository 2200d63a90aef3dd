import { parseSha256 } from "../install/release/integrity.ts";
import type { Release } from "../install/release/release.ts";
import { bucketSource } from "../install/release/vendor.ts";

const bucket = "https://storage.googleapis.com/amp-public-assets-prod-0/cli";

/** There is no build for musl, neither in the bucket nor in the registry. */
const platforms = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
};

export const ampRelease: Release = {
  id: "amp",
  name: "Amp",
  command: "amp",
  majors: [0],
  sources: [
    bucketSource({
      platforms,
      command: "amp",
      latest: `${bucket}/cli-version.txt`,
      program: (version, platform) => `${bucket}/${version}/amp-${platform}`,
      checksum: async (ask, version, platform) =>
        parseSha256(await ask.optionalText(`${bucket}/${version}/${platform}-amp.sha256`), "the vendor's checksum"),
    }),
    {
      kind: "npm",
      wrapper: "@ampcode/cli",
      platforms,
      packageOf: (platform, version) => ({ name: `@ampcode/cli-${platform}`, version }),
      program: () => "amp",
    },
  ],
};
