import { describe, expect, it } from "vitest";
import { call, openScreen } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";

describe("what a person sees of a run", () => {
  it("a patch over several files, with the names and the lines of each", async () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+two",
      "*** Add File: b.txt",
      "+new",
      "*** Delete File: c.txt",
      "*** End Patch",
    ].join("\n");
    const world = await openScreen({
      files: { "a.txt": "one\n", "c.txt": "gone\n" },
      turns: [{ tools: [call("apply_patch", { operation: { type: "patch", patch } })] }, { text: "Patched." }],
    });
    world.enter("patch");
    await world.said(/Patched\.[\s\S]*% context/);
    await expectScreen(world, "patch-several-files");
    const all = (await world.terminal.everything()).join("\n");
    expect(all).toContain("apply_patch a.txt, b.txt, c.txt");
    expect(all).toMatch(/a\.txt[\s\S]*-one[\s\S]*\+two[\s\S]*b\.txt \(new\)[\s\S]*\+new[\s\S]*c\.txt \(deleted\)/);
  });

  it("follow-ups with numbers, and a number sends one of them", async () => {
    const followups = [{ prompt: "Add a test for it", label: "Test it" }, { prompt: "Write the docs" }];
    const world = await openScreen({
      turns: [
        { text: "Made.", tools: [call("suggest_followups", { followups })] },
        { match: { body: 'Write the docs"}' }, text: "Docs written." },
        { text: "What else?", times: "always" },
      ],
    });
    world.enter("make it");
    await world.said("2. Write the docs");
    await world.idle();
    world.enter("2");
    await world.said("› Write the docs");
    await world.idle();
    expect((await world.terminal.everything()).join("\n")).toContain("1. Test it");
  });

  it("the model that the next prompt goes to, before the first and after a change of mode", async () => {
    const world = await openScreen();
    await world.shows(/DEFAULT · allow · anthropic\/claude-sonnet-4\.6/);
    world.enter("/mode:max");
    await world.shows(/MAX · allow · anthropic\/claude-opus-4\.6/);
    world.enter("/mode:free");
    await world.shows(/FREE · allow · anthropic\/claude-haiku-4/);
  });

  it("the model of agent mode, and calls that the loop refused or could not read", async () => {
    const fields = [".codebuff/memory/big.md", "note it", "x".repeat(40_000)];
    const note = ["path", "instructions", "content"].map((name, at) => `<${name}>${fields[at]}</${name}>`).join("\n");
    const world = await openScreen({
      turns: [
        { text: "I read.\n<read_files>\n</read_files>" },
        { text: `I note.\n<write_file>\n${note}\n</write_file>` },
        { text: "Finished.\n<end_turn></end_turn>" },
      ],
    });
    world.enter("/agent look around");
    await world.said("Finished.");
    await world.idle();
    const all = (await world.terminal.everything()).join("\n");
    expect(all).toContain("agent mode on anthropic/claude-sonnet-4");
    expect(all).toMatch(/✗ read_files.*paths/);
    expect(all).toMatch(/✗ write_file \.codebuff\/memory\/big\.md.*memory file/);
    // The next prompt is not agent mode's.
    await world.shows(/DEFAULT · allow · anthropic\/claude-sonnet-4\.6/);
  });

  it("how long it waits before the model is asked again, and where", async () => {
    const overloaded = { kind: "status" as const, status: 529, message: "overloaded in the test" };
    const world = await openScreen({ turns: [{ fault: overloaded }, { text: "Back." }] });
    world.enter("hi");
    await world.said(/\(http:\/\/127\.0\.0\.1:\d+, attempt 1 of 4, again in 2 s\)/);
    await world.shows(/asks the model again in [12] s/);
    await world.said("Back.");
  });

  it("a no of the person and a read of nothing as what they are", async () => {
    const world = await openScreen({
      flags: { permissions: "default" },
      turns: [
        { tools: [call("read_files", { paths: ["nosuch.txt"] })] },
        { tools: [call("run_terminal_command", { command: "touch x" })] },
        { text: "All right." },
      ],
    });
    world.enter("go");
    await world.shows("Allow once");
    await world.guardPassed();
    world.terminal.type("3");
    await world.said("All right.");
    const all = (await world.terminal.everything()).join("\n");
    expect(all).toMatch(/✗ read_files nosuch\.txt · no such file/);
    expect(all).toMatch(/✗ permission Run touch x.* · denied/);
  });

  it("how many lines of a command's output stand before the last", async () => {
    const world = await openScreen({
      turns: [{ tools: [call("run_terminal_command", { command: "seq 1 50" })] }, { text: "Counted." }],
    });
    world.enter("count");
    await world.said("Counted.");
    expect((await world.terminal.everything()).join("\n")).toMatch(/… 47 lines before, ctrl\+t shows all\n\s+48\n/);
  });
});

it("a slash command that is near to none is not guessed", async () => {
  const world = await openScreen();
  world.enter("/nosuch");
  await world.said("There is no command /nosuch. /help lists them. Nothing was sent.");
  world.enter("/modle");
  await world.said("Did you mean /model?");
});
