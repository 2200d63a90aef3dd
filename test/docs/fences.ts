import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Page {
  readonly path: string;
  /** In the site. */
  readonly out?: string;
  readonly markdown: string;
}
export interface Fence {
  readonly page: string;
  /** What stands behind `sh`: why docs.test.ts does not run it by itself. */
  readonly reason: string | undefined;
  readonly commands: string;
}

// By address: the scripts have no types.
const { findPages }: { findPages(): Page[] } = await import(
  new URL("../../scripts/docs/pages.mjs", import.meta.url).href
);
/** The pages of operations have a test of their own, and so has the skill. */
const isTestedElsewhere = /^docs\/api\/|SKILL\.md$/;
const readme = { path: "README.md", markdown: await readFile(join(root, "README.md"), "utf8") };
export const pages = findPages().filter(({ path }) => !isTestedElsewhere.test(path));
export const documented: readonly Page[] = [readme, ...pages];

/** Blocks of commands of all pages. */
export const fences: readonly Fence[] = documented.flatMap(({ path, markdown }) =>
  [...markdown.matchAll(/^```(?:sh|bash)(?: (.+))?\n([\s\S]*?)^```/gm)].map(([, reason, commands = ""]) => ({
    page: path,
    reason,
    commands,
  })),
);

/** How a block of commands comes to be run, by the first words behind its `sh`. */
const runners = {
  "codebuff-guide.test.ts runs it": "the guide",
  "needs a key": "agents",
  "needs a release": "release",
} as const;
type Runner = (typeof runners)[keyof typeof runners] | "docs" | "nobody";

export function runnerOf({ reason }: Fence): Runner {
  if (reason === undefined) return "docs";
  const known = Object.entries(runners).find(([words]) => reason.startsWith(words));
  return known === undefined ? "nobody" : known[1];
}

/** Every block of commands that nobody runs, and why. There is room for five. */
export const notRun: readonly { page: string; begins: string; why: string }[] = [
  { page: "docs/reliability.md", begins: "npm run chaos", why: "takes hours; npm test has its short form" },
  {
    page: "docs/comparison.md",
    begins: "npm run bench",
    why: "takes minutes, wants a quiet machine and a peer's binary",
  },
  {
    page: "docs/installing.md",
    begins: "npm run test:forms",
    why: "runs half of all tests once more; executable.release.test.ts has the short form",
  },
  {
    page: "docs/installing.md",
    begins: "npm start",
    why: "builds the clone that the tests run from; npm-run-release.release.test.ts makes the release",
  },
  {
    page: "docs/how-to/another-user.md",
    begins: "useradd",
    why: "makes a user of this machine; agent-user.test.ts runs the daemon so where it may",
  },
];
