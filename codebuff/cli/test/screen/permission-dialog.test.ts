import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, openScreen, type ScreenOptions } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";

const options = Array.from({ length: 40 }, (_, at) => `--option-${at}=value-${at}`).join(" ");
const hiding = `node build.js ${options} && touch sent.txt`;

async function openPermission(command: string, size: Pick<ScreenOptions, "columns" | "rows">) {
  const world = await openScreen({
    ...size,
    flags: { permissions: "default" },
    turns: [{ tools: [call("run_terminal_command", { command })] }, { text: "Ended." }],
  });
  world.enter("go");
  await world.shows("Allow once");
  await world.guardPassed();
  return world;
}

describe("a permission dialog", () => {
  it("marks what of a long command is off the screen, and keeps reason and grant at 40×12", async () => {
    const world = await openPermission(hiding, { columns: 40, rows: 12 });
    await expectScreen(world, "permission-small");
    const screen = await world.terminal.screen();
    expect(screen).toMatch(/lines 1–\d+ of \d+/);
    expect(screen).toContain("why: not known to be read-only");
    expect(screen).toMatch(/always: node build\.js, touch/);
  });

  it("takes a yes only after the end of the command has been on the screen", async () => {
    const world = await openPermission(hiding, { columns: 60, rows: 20 });
    expect(await world.terminal.screen()).not.toContain("&& touch sent.txt");
    world.terminal.type("1");
    await world.shows("not yet");
    await expectScreen(world, "permission-not-yet");
    for (let pages = 0; pages < 20 && !(await world.terminal.screen()).includes("&& touch"); pages++) {
      world.terminal.press("pageDown");
    }
    await world.shows("&& touch sent.txt");
    world.terminal.type("1");
    await world.said("Ended.");
    expect(existsSync(join(world.project, "sent.txt"))).toBe(false);
    expect((await world.terminal.everything()).join("\n")).toContain("permission Run node build.js");
  });

  it("shows all of a command with one key, and goes back with Escape without an answer", async () => {
    const world = await openPermission(hiding, { columns: 60, rows: 30 });
    world.terminal.press("ctrl+o");
    await world.shows("esc back");
    await world.shows("&& touch sent.txt");
    await expectScreen(world, "permission-pager");
    world.terminal.press("escape");
    await world.shows("Allow once");
    world.terminal.type("1");
    await world.said("Ended.");
  });

  it("has a diff of 80 lines whole in its pager, none of its lines cut", async () => {
    const lines = Array.from({ length: 80 }, (_, at) => `const line${at} = "${"x".repeat(60)}"; // end of ${at}`);
    const world = await openScreen({
      columns: 50,
      rows: 16,
      flags: { permissions: "default" },
      turns: [
        { tools: [call("write_file", { path: "a.ts", instructions: "x", content: `${lines.join("\n")}\n` })] },
        { text: "Written." },
      ],
    });
    world.enter("write it");
    await world.shows("Allow once");
    await world.shows(/lines 1–\d+ of \d+/);
    await world.guardPassed();
    world.terminal.press("ctrl+t");
    await world.shows("esc back");
    const seen: string[] = [];
    for (let pages = 0; pages < 60; pages++) {
      seen.push(await world.terminal.screen());
      world.terminal.press("pageDown");
    }
    const all = seen.join("\n");
    for (const at of [0, 17, 42, 79]) expect(all.replaceAll(/\s+/g, "")).toContain(`//endof${at}`);
    world.terminal.press("escape");
    await world.shows("Allow once");
    world.terminal.type("1");
    await world.said("Written.");
    expect(existsSync(join(world.project, "a.ts"))).toBe(true);
  });

  it("keeps the reason of a command of many lines, and its danger", async () => {
    const script = Array.from({ length: 30 }, (_, at) => `echo step ${at} >> log.txt`).join("\n");
    const world = await openPermission(`${script}\nrm -rf /usr`, { columns: 40, rows: 12 });
    const screen = await world.terminal.screen();
    expect(screen).toContain("why: ");
    expect(screen).toContain("destructive");
    await expectScreen(world, "permission-lines-small");
  });

  it("offers no always for what names nothing", async () => {
    const world = await openPermission("$THING 3 > out.txt", { columns: 80, rows: 24 });
    expect(await world.terminal.screen()).not.toMatch(/always: *(?:,|$)/m);
  });
});
