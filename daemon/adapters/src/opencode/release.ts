import type { Release } from "../install/release.ts";
import { githubSource } from "../install/vendor.ts";

const platforms = {
  "linux-x64": "linux-x64",
  "linux-x64-baseline": "linux-x64-baseline",
  "linux-x64-musl": "linux-x64-musl",
  "linux-x64-baseline-musl": "linux-x64-baseline-musl",
  "linux-arm64": "linux-arm64",
  "linux-arm64-musl": "linux-arm64-musl",
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
};

export const opencodeRelease: Release = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  sources: [
    githubSource({
      platforms,
      command: "opencode",
      repository: "anomalyco/opencode",
      tagPrefix: "v",
      file(platform) {
        const packing = platform.startsWith("darwin") ? "zip" : "tar.gz";
        return { name: `opencode-${platform}.${packing}`, packing, member: "opencode" };
      },
    }),
    {
      kind: "npm",
      wrapper: "opencode-ai",
      platforms,
      packageOf: (platform, version) => ({ name: `opencode-${platform}`, version }),
      program: () => "bin/opencode",
    },
  ],
};
