import type { Release } from "../install/release/release.ts";
import { githubSource } from "../install/release/vendor.ts";

const linux = {
  "linux-x64": "linux-x64",
  "linux-x64-baseline": "linux-x64-baseline",
  "linux-x64-musl": "linux-x64-musl",
  "linux-x64-baseline-musl": "linux-x64-baseline-musl",
  "linux-arm64": "linux-arm64",
  "linux-arm64-musl": "linux-arm64-musl",
};
const darwin = { "darwin-arm64": "darwin-arm64", "darwin-x64": "darwin-x64" };

export const opencodeRelease: Release = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  tested: "1.18.33",
  majors: [1, 2],
  sources: [
    githubSource({
      // For macOS the vendor packs a zip file; npm has the same program in a tarball.
      platforms: linux,
      command: "opencode",
      repository: "anomalyco/opencode",
      tagPrefix: "v",
      file: (platform) => ({ name: `opencode-${platform}.tar.gz`, member: "opencode" }),
    }),
    {
      kind: "npm",
      wrapper: "opencode-ai",
      platforms: { ...linux, ...darwin },
      packageOf: (platform, version) => ({ name: `opencode-${platform}`, version }),
      program: () => "bin/opencode",
    },
  ],
};
