import { describe, expect, it } from "vitest";
import { openScreen } from "./screen-world.ts";

describe("Ctrl-R", () => {
  it("finds what was sent before by its words, and Enter takes it into the prompt", async () => {
    const world = await openScreen();
    for (const prompt of ["fix the parser", "write the docs", "fix the writer"]) {
      world.enter(prompt);
      await world.said(`› ${prompt}`);
      await world.idle();
    }
    world.terminal.press("ctrl+r");
    await world.shows(/sent before:\s*\n▸ fix the writer\n {2}write the docs\n {2}fix the parser/);
    world.terminal.type("fix");
    await world.shows(/sent before: fix\n▸ fix the writer\n {2}fix the parser\n?/);
    world.terminal.press("ctrl+r");
    await world.shows("▸ fix the parser");
    world.terminal.press("enter");
    await world.shows(/› fix the parser\nDEFAULT/);
    expect(world.llm.requests()).toHaveLength(3);
  });

  it("is left by Escape with the text as it was, and says when nothing fits", async () => {
    const world = await openScreen();
    world.terminal.type("half a thought");
    world.terminal.press("ctrl+r");
    world.terminal.type("zzz");
    await world.shows("sent before: zzz  nothing fits");
    world.terminal.press("up", "enter");
    await world.shows("› half a thought");
    world.terminal.press("ctrl+r", "escape");
    await world.shows("› half a thought");
  });
});

describe("the keys of vim", () => {
  it("change the prompt after Escape, the footer says so, and Enter sends", async () => {
    const world = await openScreen({ flags: { vim: true } });
    world.terminal.type("fix the old test");
    world.terminal.press("escape");
    await world.shows("NORMAL · DEFAULT");
    world.terminal.type("bbcw");
    world.terminal.type("new");
    world.terminal.press("escape");
    await world.shows("› fix the new test");
    world.terminal.type("u");
    await world.shows("› fix the old test");
    world.terminal.press("ctrl+r");
    await world.shows("› fix the new test");
    world.terminal.type("0x~");
    world.terminal.press("enter");
    await world.said("› Ix the new test");
    await world.said("Hello.");
  });

  it("go through several lines, what was sent before, and leave Escape to the run over an empty prompt", async () => {
    const world = await openScreen({
      flags: { vim: true },
      turns: [
        { text: "Never.", fault: { kind: "stall" } },
        { text: "Hello.", times: "always" },
      ],
    });
    world.enter("first");
    await world.shows("esc interrupts");
    world.terminal.press("escape");
    await world.said("interrupted");
    await world.idle();
    world.terminal.send("\u001b[200~one\ntwo\u001b[201~");
    world.terminal.press("escape");
    world.terminal.type("kdd");
    await world.shows(/› two\n/);
    world.terminal.type("ddk");
    await world.shows(/› first\n/);
  });
});
