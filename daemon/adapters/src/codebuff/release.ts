import type { Release } from "../install/release/release.ts";

/** Our own agent: it comes with the daemon. The package `codebuff` of the registry, and its command, are the vendor's. */
export const codebuffRelease: Release = {
  id: "codebuff",
  name: "Codebuff",
  command: "codebuff",
  majors: [0, 1],
  isNotOnPath: true,
  sources: [{ kind: "workspace", package: "@muster/codebuff" }],
};
