import { execFile } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { documented, fences, notRun, type Page, pages, root, runnerOf } from "./fences.ts";

const execute = promisify(execFile);
const own = fences.filter((fence) => runnerOf(fence) === "docs");
const runnable = documented.filter(({ path }) => own.some(({ page }) => page === path));

/**
 * The commands as somebody types them. A daemon that serves goes on in the background once it listens, as it would in
 * another terminal; a command that is to fail (`! …`) has to.
 */
function scriptOf({ path }: Page): string {
  const commands = own.flatMap(({ page, commands }) => (page === path ? [commands] : []));
  const typed = commands
    .join("\n")
    .replaceAll("http://127.0.0.1:2468", "$U")
    .replaceAll("--serve=127.0.0.1:8000", "--serve=127.0.0.1:0")
    .replaceAll(/^! (.+?)(?: {2,}#.*)?$/gm, "if $1; then echo 'this was to fail'; exit 1; fi");
  return `set -eu
sandbox-daemon() {
  case "\${1:-serve}" in serve | -*) ;; *) command sandbox-daemon "$@"; return ;; esac
  local said; said=$(mktemp -p "$HOME" serve.XXXXXX)
  command sandbox-daemon "$@" >"$said" & echo $! >>"$HOME/daemons"
  until grep -q "listens on" "$said"; do kill -0 $!; sleep 0.1; done
  sleep 0.5; kill -0 $!; cat "$said"
}
# In a clone; this one is built, and the page serves until its terminal is closed.
npm() { shift; shift; sandbox-daemon --port 0 --data-dir "$(mktemp -d -p "$HOME")" "$@"; }
npx() {
  local said tool=$1; said=$(mktemp -p "$HOME" page.XXXXXX); shift
  # It ends with its terminal's input.
  mkfifo "$HOME/input"; exec 9<>"$HOME/input"
  (cd ${root} && exec "node_modules/.bin/$tool" "$@" <&9 >"$said" 2>&1) & echo $! >>"$HOME/daemons"
  until grep -q "Local:" "$said"; do kill -0 $!; sleep 0.1; done
  curl -sf "$(sed -n 's/.*Local: *//p' "$said")" | grep -q "<script"
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
    expect(runnable.map(({ path }) => path)).toContain("README.md");
  });

  it("are run, but for those of a table with their reasons, which has room for five", () => {
    const left = fences.filter((fence) => runnerOf(fence) === "nobody");
    const rows = left.map(({ page, commands }) => {
      const row = notRun.find((one) => one.page === page && commands.startsWith(one.begins));
      return row ?? { page, commands };
    });
    expect(rows).toEqual(expect.arrayContaining([...notRun]));
    expect(rows.filter((row) => !("why" in row))).toEqual([]);
    expect(rows.length).toBeLessThanOrEqual(5);
  });

  it("hide no failure, and do nothing only because a test wants it", () => {
    const hidden = fences.flatMap(({ page, commands }) =>
      commands
        .split("\n")
        .flatMap((line) => (/\|\| *(true|:)|; *true\b|--until-stdin-ends/.test(line) ? [[page, line]] : [])),
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
