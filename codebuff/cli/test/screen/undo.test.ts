import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, openScreen, type ScreenWorld } from "./screen-world.ts";

const write = (path: string, content: string) => call("write_file", { path, instructions: "x", content });
const run = (command: string) => call("run_terminal_command", { command });
const read = (world: ScreenWorld, path: string) => readFile(join(world.project, path), "utf8");

async function prompt(world: ScreenWorld, text: string, answer: string): Promise<void> {
  world.enter(text);
  await world.said(answer);
  await world.idle();
}

describe("/undo", () => {
  it("takes back a file that a command of the same prompt changed after the edit", async () => {
    const world = await openScreen({
      turns: [{ tools: [write("c.txt", "one\n")] }, { tools: [run("sed -i s/one/two/ c.txt")] }, { text: "Ready." }],
    });
    await prompt(world, "make it", "Ready.");
    expect(await read(world, "c.txt")).toBe("two\n");
    world.enter("/undo");
    await world.said('Taken back: "make it"');
    expect(existsSync(join(world.project, "c.txt"))).toBe(false);
    world.enter("/redo");
    await world.said('Brought back: "make it"');
    expect(await read(world, "c.txt")).toBe("two\n");
  });

  it("takes back what agent mode edited and then ran over", async () => {
    const text = [
      "<write_file>\n<path>c.txt</path>\n<instructions>x</instructions>\n<content>one\n</content>\n</write_file>",
      "<run_terminal_command>\n<command>sed -i s/one/two/ c.txt</command>\n</run_terminal_command>",
    ];
    const world = await openScreen({
      turns: [...text.map((one) => ({ text: one })), { text: "Ready.\n<end_turn></end_turn>" }],
    });
    await prompt(world, "/agent make it", "Ready.");
    expect(await read(world, "c.txt")).toBe("two");
    world.enter("/undo");
    await world.said("Taken back:");
    expect(existsSync(join(world.project, "c.txt"))).toBe(false);
  });

  it("takes back what a hook made of an edited file", async () => {
    const hooks = { fileChangeHooks: [{ name: "format", command: "sed -i 's/$/;/' a.js", filePattern: "**/*.js" }] };
    const world = await openScreen({
      files: { "codebuff.json": JSON.stringify(hooks), "a.js": "old\n" },
      turns: [{ tools: [write("a.js", "new\n")] }, { text: "Ready." }],
    });
    world.enter("make it");
    await world.shows("Yes, I trust it");
    await world.guardPassed();
    world.terminal.type("2");
    await world.said("Ready.");
    await world.idle();
    expect(await read(world, "a.js")).toBe("new;\n");
    world.enter("/undo");
    await world.said('Taken back: "make it"');
    expect(await read(world, "a.js")).toBe("old\n");
  });

  it("leaves what the person wrote while a permission was open", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      files: { "mine.txt": "old\n" },
      turns: [{ tools: [run("touch made.txt")] }, { text: "Ready." }],
    });
    world.enter("make it");
    await world.shows("Allow once");
    await writeFile(join(world.project, "mine.txt"), "written meanwhile\n");
    await world.guardPassed();
    world.terminal.type("1");
    await world.said("Ready.");
    await world.idle();
    world.enter("/undo");
    await world.said('Taken back: "make it"');
    expect(existsSync(join(world.project, "made.txt"))).toBe(false);
    expect(await read(world, "mine.txt")).toBe("written meanwhile\n");
  });

  it("takes back every edit of a step whose calls waited for the person one after the other", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      files: { "mine.txt": "old\n" },
      turns: [{ tools: [write("a.txt", "1\n"), write("b.txt", "2\n"), run("touch made.txt")] }, { text: "Ready." }],
    });
    world.enter("make them");
    for (const question of ["Edit a.txt", "Edit b.txt", "Run touch made.txt"]) {
      await world.shows(`? ${question}`);
      if (question === "Edit b.txt") await writeFile(join(world.project, "mine.txt"), "written meanwhile\n");
      await world.guardPassed();
      world.terminal.type("1");
    }
    await world.said("Ready.");
    await world.idle();
    world.enter("/undo");
    await world.said('Taken back: "make them"');
    for (const file of ["a.txt", "b.txt", "made.txt"]) expect(existsSync(join(world.project, file)), file).toBe(false);
    expect(await read(world, "mine.txt")).toBe("written meanwhile\n");
  });

  it("refuses with names, and with force shows what is lost before it goes back", async () => {
    const world = await openScreen({
      files: { "keep.txt": "before\n" },
      turns: [{ tools: [write("keep.txt", "after\n")] }, { text: "Ready." }],
    });
    await prompt(world, "change it", "Ready.");
    await writeFile(join(world.project, "keep.txt"), "mine\n");
    world.enter("/undo");
    await world.said("keep.txt  changed by you");
    expect(await read(world, "keep.txt")).toBe("mine\n");
    world.enter("/undo force");
    await world.said('Taken back: "change it"');
    expect((await world.terminal.everything()).join("\n")).toMatch(/This is lost[\s\S]*\+mine/);
    expect(await read(world, "keep.txt")).toBe("before\n");
  });

  it("brings the index back after git mv", async () => {
    const world = await openScreen({
      files: { "readme.md": "text\n" },
      turns: [{ tools: [run("git mv readme.md README.md")] }, { text: "Ready." }],
    });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: world.project, encoding: "utf8" });
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
    await prompt(world, "rename it", "Ready.");
    expect(git("status", "--porcelain")).toBe("R  readme.md -> README.md\n");
    world.enter("/undo");
    await world.said('Taken back: "rename it"');
    expect(git("status", "--porcelain")).toBe("");
  });
});
