import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hookEvents } from "@muster/codebuff-protocol";
import { describe, expect, it } from "vitest";
import { type RunWorld, runWorld } from "../run-world.ts";
import { type HookRow, hookRows } from "./hook-rows.ts";

const scripts = fileURLToPath(new URL("./scripts/", import.meta.url));

/** The settings file of a project as Claude Code reads it: the script is in `.claude/hooks`. */
function settingsFor({ event, matcher, script }: HookRow): string {
  const program = script.endsWith(".mjs") ? "node" : "sh";
  const command = `${program} "$CLAUDE_PROJECT_DIR"/.claude/hooks/${script}`;
  const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command, timeout: 30 }] };
  return JSON.stringify({ hooks: { [event]: [group] } });
}

/** Everything that a run leaves to see: answers, results, requests and the files of the project. */
async function observe(row: HookRow, hooks: boolean): Promise<string> {
  const { files = {}, turns, run = {}, earlier } = row;
  const world = await runWorld(turns, {
    files: { ...files, ".claude/settings.json": settingsFor(row) },
    options: { hooks, trust: () => true },
  });
  await mkdir(join(world.cwd, ".claude/hooks"));
  await cp(join(scripts, row.script), join(world.cwd, ".claude/hooks", row.script));
  const previousRun = earlier === undefined ? undefined : earlier(await world.run({ hooks: false }));
  world.events.length = 0;
  const before = world.llm.requests().length;
  const { output } = await world.run({ ...run, ...(previousRun && { previousRun }) });
  await world.client.close();
  const seen = world.events.map((event) => JSON.stringify(event));
  const asked = world.llm.requests().slice(before);
  const requests = asked.map(({ body }) => JSON.stringify((body as { messages?: unknown }).messages));
  return [...seen, ...requests, JSON.stringify(output), ...(await filesOf(world))].join("\n");
}

async function filesOf({ cwd }: RunWorld): Promise<string[]> {
  const names = (await readdir(cwd, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes("/.claude/"));
  const texts = paths
    .sort()
    .map(async (path) => `${path.slice(cwd.length + 1)}: ${JSON.stringify(await readFile(path, "utf8"))}`);
  return Promise.all(texts);
}

describe("hooks", () => {
  it("have a script for every event of the table, and scripts for no other", () => {
    expect([...new Set(hookRows.map(({ event }) => event))].sort()).toEqual(Object.keys(hookEvents).sort());
    expect(hookRows.length).toBeGreaterThanOrEqual(20);
  });

  it("stand on the page for people, each event with its row", async () => {
    const page = await readFile(new URL("../../../../docs/codebuff/hooks.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(Object.keys(hookEvents).sort());
  });

  it.each(hookRows.map((row) => [row.event, row.script, row] as const))(
    "%s: %s makes another run",
    async (_, __, row) => {
      const [without, withHook] = [await observe(row, false), await observe(row, true)];
      expect(withHook).toMatch(row.shows);
      expect(without).not.toMatch(row.shows);
      if (row.hides === undefined) return;
      expect(withHook).not.toMatch(row.hides);
      expect(without).toMatch(row.hides);
    },
  );
});
