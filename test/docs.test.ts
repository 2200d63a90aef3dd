import { execFile } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

interface Page {
  readonly path: string;
  /** In the site. */
  readonly out?: string;
  readonly markdown: string;
}
// By address: the scripts have no types.
const { findPages }: { findPages(): Page[] } = await import(new URL("../scripts/docs/pages.mjs", import.meta.url).href);
/** The pages of operations have a test of their own, and so has the skill. */
const isTestedElsewhere = /^docs\/api\/|SKILL\.md$/;
const readme = { path: "README.md", markdown: await readFile(join(root, "README.md"), "utf8") };
const pages = findPages().filter(({ path }) => !isTestedElsewhere.test(path));

/** Why a block of commands may stand in a page without being run: what stands behind `sh` begins with one of these words. */
const exemptions: readonly string[] = [
  "needs a key", // of a provider; the test of each page's subject does it with the scripted model or the mock
  "needs a release", // which the release lane makes and installs
  "needs root", // and another user; agent-user.test.ts does it where it may
  "takes minutes", // or hours; the short form is part of npm test
  "replaces what runs it", // installs, builds or removes the programs that this test uses
];

/** What stands behind `sh` where the test of Codebuff's guide runs a block, in the guide's own surroundings. */
const isRunByGuide = (reason = "") => reason === "codebuff-guide.test.ts runs it";

/** Blocks of commands, and what stands behind `sh`: the reason why one is not run. */
function blocksOf({ markdown }: Page) {
  return [...markdown.matchAll(/^```(?:sh|bash)(?: (.+))?\n([\s\S]*?)^```/gm)].map(([, reason, commands = ""]) => ({
    reason,
    commands,
  }));
}

const documented = [readme, ...pages];
const runnable = documented.filter((page) => blocksOf(page).some(({ reason }) => reason === undefined));

/**
 * The commands as somebody types them. A daemon that serves goes on in the background once it listens, as it would in
 * another terminal; a command that is to fail (`! …`) has to.
 */
function scriptOf(page: Page): string {
  const commands = blocksOf(page).flatMap(({ reason, commands }) => (reason === undefined ? [commands] : []));
  const typed = commands
    .join("\n")
    .replaceAll("http://127.0.0.1:2468", "$U")
    .replaceAll(/^! (.+?)(?: {2,}#.*)?$/gm, "if $1; then echo 'this was to fail'; exit 1; fi");
  return `set -eu
sandbox-daemon() {
  case "\${1:-serve}" in serve | -*) ;; *) command sandbox-daemon "$@"; return ;; esac
  local said; said=$(mktemp -p "$HOME" serve.XXXXXX)
  command sandbox-daemon "$@" >"$said" & echo $! >>"$HOME/daemons"
  until grep -q "listens on" "$said"; do kill -0 $!; sleep 0.1; done
  sleep 0.5; kill -0 $!; cat "$said"
}
end() { while read -r pid; do kill "$pid" 2>/dev/null || true; done <"$HOME/daemons"; wait || true; }
trap end EXIT
sandbox-daemon --port 0 >"$HOME/daemon.out" 2>"$HOME/daemon.err"
export U=$(sed -n 's/.*listens on //p' "$HOME/daemon.out") J="content-type: application/json"
export T="Authorization: Bearer $(cat "$HOME/.local/share/muster/token")"
curl -s -o /dev/null -H "$T" -H "$J" -X POST $U/sessions/quick -d '{"agent":"mock"}'
${typed}`;
}

describe("the commands of the documentation", () => {
  it("are there", () => {
    expect(runnable.length).toBeGreaterThan(12);
    expect(runnable).toContain(readme);
  });

  it("are run, but for a few for one of five reasons", () => {
    expect(exemptions.length).toBeLessThanOrEqual(5);
    const reasons = documented.flatMap((page) =>
      blocksOf(page).flatMap(({ reason }) => (reason && !isRunByGuide(reason) ? [[page.path, reason]] : [])),
    );
    const isKnown = (reason = "") => exemptions.some((known) => reason.startsWith(known));
    expect(reasons.filter(([, reason]) => !isKnown(reason))).toEqual([]);
    // A reason that no page has any more is not kept.
    expect(exemptions.filter((known) => !reasons.some(([, reason = ""]) => reason.startsWith(known)))).toEqual([]);
  });

  it("hide no failure, and do nothing only because a test wants it", () => {
    const hidden = documented.flatMap((page) =>
      blocksOf(page).flatMap(({ commands }) =>
        commands
          .split("\n")
          .flatMap((line) => (/\|\| *(true|:)|; *true\b|--until-stdin-ends/.test(line) ? [[page.path, line]] : [])),
      ),
    );
    expect(hidden).toEqual([]);
  });

  it.each(runnable.map((page) => [page.path, page] as const))("%s", async (_, page) => {
    const home = await realpath(await mkdtemp(join(tmpdir(), "muster-docs-")));
    try {
      const env = { HOME: home, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`, NO_COLOR: "1" };
      const { stdout, stderr } = await execute("bash", ["-c", scriptOf(page)], {
        cwd: home,
        env,
        maxBuffer: 16 << 20,
        timeout: 60_000,
      });
      // curl does not mind a problem document.
      expect(`${stdout}${stderr}`).not.toMatch(/"status":[45]\d\d,/);
    } catch (error) {
      const { stdout = "", stderr = "", message } = error as { stdout?: string; stderr?: string; message: string };
      throw new Error(`${message.slice(0, 200)}\n${stdout}\n${stderr}`);
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});

describe("the site", { timeout: 300_000 }, () => {
  it("is made of every page, finds what is in it, and no link leads nowhere", async () => {
    await execute(process.execPath, [join(root, "scripts/docs.mjs")], { cwd: root });
    const script = await readFile(join(root, "site/search.js"), "utf8");
    const index: { at: string; text: string }[] = JSON.parse(script.slice("window.searchIndex = ".length, -2));
    expect(index.some(({ at, text }) => at.startsWith("how-to/permissions") && text.includes("acceptEdits"))).toBe(
      true,
    );
    for (const { out = "" } of pages) {
      const page = await readFile(join(root, "site", out), "utf8");
      expect(page).toContain("<main>");
      // Nothing is fetched from anywhere.
      expect(page.replaceAll(/<a [^>]*>/g, "")).not.toMatch(/(?:src|href)="https?:/);
    }
    const anchors = await brokenAnchors(index.map(({ at }) => at.split("#")[0] ?? ""));
    expect(anchors).toEqual([]);
  });
});

/** Links inside the site that name a heading which is not there. */
async function brokenAnchors(files: readonly string[]): Promise<string[]> {
  const texts = new Map<string, string>();
  for (const file of new Set(files)) texts.set(file, await readFile(join(root, "site", file), "utf8"));
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/<a href="([^":]*)#([^"]+)"/g)].flatMap(([, path = "", id = ""]) => {
      const target = path === "" ? file : join(file, "..", path);
      return texts.get(target)?.includes(`id="${id}"`) ? [] : [`${file} → ${target}#${id}`];
    }),
  );
}
