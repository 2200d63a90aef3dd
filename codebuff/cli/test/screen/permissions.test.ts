import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, openScreen, type ScreenWorld } from "./screen-world.ts";

const command = (text: string) => call("run_terminal_command", { command: text });
const edit = (path: string) => call("write_file", { path, instructions: "make it", content: "made\n" });
const asks = { permissions: undefined } as const;

/** Answers the question that is open with the choice that begins like this. */
async function choose(world: ScreenWorld, label: string): Promise<void> {
  await world.shows(label);
  await world.guardPassed();
  const number = new RegExp(`(\\d)\\. ${label}`).exec(await world.terminal.screen())?.[1];
  if (number === undefined) throw new Error(`no choice ${label}\n${await world.terminal.screen()}`);
  world.terminal.type(number);
}

const jsonOf = async (path: string) => JSON.parse(await readFile(path, "utf8")) as unknown;

describe("Shift-Tab", () => {
  it("goes through default, accept-edits and plan, and the footer shows which one holds", async () => {
    const world = await openScreen({ flags: asks });
    await world.shows("DEFAULT · asks");
    world.terminal.press("shift+tab");
    await world.shows("DEFAULT · accept-edits");
    world.terminal.press("shift+tab");
    await world.shows(/^PLAN/m);
    await world.shows("◇");
    world.terminal.press("shift+tab");
    await world.shows("DEFAULT · asks");
    world.terminal.press("tab");
    await world.shows("FREE · asks");
  });

  it("leaves a policy that was chosen by its name, and reaches none of those", async () => {
    const world = await openScreen({ flags: { permissions: "allow" } });
    await world.shows("DEFAULT · allow");
    for (const shown of ["DEFAULT · asks", "DEFAULT · accept-edits", "PLAN", "DEFAULT · asks"]) {
      world.terminal.press("shift+tab");
      await world.shows(shown);
    }
  });

  it("holds for the next call of a run that goes on", async () => {
    const turns = [
      { tools: [edit("one.txt")] },
      { tools: [edit("two.txt")] },
      { tools: [edit("three.txt")] },
      { text: "Done." },
    ];
    const world = await openScreen({ flags: asks, turns });
    world.enter("write");
    await choose(world, "Allow once");
    await world.shows("Edit two.txt");
    // The question that is open stays; what comes after it is judged by the new policy.
    await world.guardPassed();
    world.enter("/permissions accept-edits");
    await choose(world, "Allow once");
    await world.said("Done.");
    expect(await readFile(join(world.project, "three.txt"), "utf8")).toBe("made\n");
  });
});

describe("Always", () => {
  it("in this project writes a rule that another session keeps, and /permissions takes it back", async () => {
    const turns = [{ tools: [command("make build")] }, { text: "Built.", times: "always" as const }];
    const files = { Makefile: "build:\n\t@echo built here\n" };
    const world = await openScreen({ flags: asks, turns, files });
    world.enter("build");
    await choose(world, "Always in this project: make build");
    await world.said("Built.");
    const path = join(world.project, ".codebuff", "permissions.json");
    expect(await jsonOf(path)).toEqual({ rules: [{ effect: "allow", command: "make build *" }] });
    await world.idle();

    const again = await openScreen({ flags: asks, turns, place: world });
    again.enter("build");
    await again.said("built here");
    await again.said("Built.");
    await again.idle();
    again.enter("/permissions remove 1");
    await again.said("No longer a rule from the next prompt on: allow command make build *");
    expect(await jsonOf(path)).toEqual({ rules: [] });
  });

  it("everywhere goes into config.json beside what stands there, comments kept", async () => {
    const turns = [{ tools: [command("make build")] }, { text: "Built." }];
    const world = await openScreen({ flags: asks, turns, config: {}, files: { Makefile: "build:\n\t@true\n" } });
    const path = join(world.home, ".codebuff", "config.json");
    await writeFile(path, '{\n  // mine\n  "theme": "dark", // always\n  "permissions": "default"\n}\n');
    world.enter("build");
    await choose(world, "Always everywhere: make build");
    await world.said("Built.");
    const text = await readFile(path, "utf8");
    expect(text).toContain("// mine");
    expect(text).toContain('"theme": "dark", // always');
    expect(text.replace(/\s+/g, "")).toContain(
      '"permissions":{"mode":"default","rules":[{"effect":"allow","command":"makebuild*"}]}',
    );
  });

  it("is not offered for longer than a session where no rule can say it", async () => {
    const world = await openScreen({
      flags: asks,
      turns: [{ tools: [command("make build > log.txt")] }, { text: "ok" }],
    });
    world.enter("build");
    await world.shows("Allow once");
    expect(await world.terminal.screen()).not.toContain("in this project");
  });
});

describe("/permissions", () => {
  it("offers every policy with what it does, and takes one by its name", async () => {
    const world = await openScreen({ flags: asks, rows: 40 });
    world.enter("/permissions");
    await world.shows("What is asked for? Now: default");
    for (const policy of ["accept-edits", "plan", "ask", "allow", "deny", "sandboxed"]) await world.shows(policy);
    await world.guardPassed();
    world.terminal.press("escape");
    world.enter("/permissions sandboxed");
    await world.shows("DEFAULT · sandboxed");
    world.enter("/permissions bogus");
    await world.said("There is no policy bogus");
  });
});

describe("settings in the chat", () => {
  it("a wrong file is told at once with line and key, and once", async () => {
    const world = await openScreen({ config: { modle: "x", theme: "pink" } });
    await world.said(/config\.json, line 1: modle is no setting; did you mean\s+model\?/);
    await world.said(/theme takes one of auto, dark,\s+light, not "pink"/);
    world.enter("hello");
    await world.said("Hello.");
    await world.idle();
    const told = (await world.terminal.everything()).filter((line) => line.includes("modle is no setting"));
    expect(told).toHaveLength(1);
  });

  it("/config keeps a setting and uses it at once", async () => {
    const world = await openScreen({ flags: asks });
    world.enter("/config permissions accept-edits");
    await world.shows("DEFAULT · accept-edits");
    expect(await jsonOf(join(world.home, ".codebuff", "config.json"))).toEqual({ permissions: "accept-edits" });
    world.enter("/config permissions.mode");
    await world.said(/· accept-edits$/m);
  });
});

describe("what a project brings", () => {
  const files = {
    ".agents/mcp.json": '{ "mcpServers": {} }',
    ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies\n---\nSweep.",
    ".codebuff/permissions.json": '{ "rules": [{ "effect": "allow", "command": "make build" }] }',
  };

  it("is one question, by content; a change asks again and shows the difference", async () => {
    const world = await openScreen({ files, rows: 50 });
    world.enter("hello");
    await world.shows("This project brings 3 things");
    await world.shows("new skill .agents/skills/tidy/SKILL.md");
    await choose(world, "Yes, I trust it as it is now");
    await world.said("Hello.");
    await world.idle();
    await writeFile(
      join(world.project, ".agents/skills/tidy/SKILL.md"),
      files[".agents/skills/tidy/SKILL.md"].replace("Sweep", "Burn"),
    );
    world.enter("again");
    await world.shows("This project has changed one thing");
    await world.shows("-Sweep.");
    await world.shows("+Burn.");
    await choose(world, "No, leave it out");
    await world.idle();
    world.enter("/trust");
    await world.shows("This project has changed one thing");
    world.terminal.press("escape");
  });
});
