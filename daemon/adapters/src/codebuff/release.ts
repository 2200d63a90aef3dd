import type { Release } from "../install/release.ts";

/** Our own agent: it comes with the daemon. */
export const codebuffRelease: Release = {
  id: "codebuff",
  name: "Codebuff",
  command: "codebuff",
  sources: [{ kind: "workspace" }],
};
