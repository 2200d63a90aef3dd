import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openScreen } from "./screen-world.ts";

const review = "---\ndescription: Looks at a change\nargument-hint: <number>\n---\nReview number $ARGUMENTS.";

it("a command of the person's own is in the menu, is sent as its text and shown as it was typed, also afterwards", async () => {
  const world = await openScreen({ turns: [{ text: "Looked.", times: "always" }] });
  await mkdir(join(world.home, ".claude", "commands"), { recursive: true });
  await writeFile(join(world.home, ".claude", "commands", "look.md"), review);
  world.terminal.type("/loo");
  await world.shows(/\/look <number>\s+Looks at a change/);
  world.terminal.press("tab");
  await world.shows(/^› \/look *$/m);
  world.terminal.type("12");
  world.terminal.press("enter");
  await world.said("Looked.");
  await world.idle();
  expect(JSON.stringify(world.llm.requests()[0]?.body)).toContain("Review number 12.");
  expect((await world.terminal.everything()).join("\n")).toContain("› /look 12");
  await world.leave();
  const again = await openScreen({ place: world, flags: { continue: true } });
  await again.said("› /look 12");
  expect((await again.terminal.everything()).join("\n")).not.toContain("custom_command");
});

it("a command of the project waits for its trust, and a name that is taken is reached by whose it is", async () => {
  const world = await openScreen({
    files: { ".agents/commands/review.md": "Review it our way." },
    turns: [{ text: "Reviewed.", times: "always" }],
  });
  world.enter("/project:review");
  await world.shows("This project brings one thing");
  await world.shows("Review it our way.");
  await world.guardPassed();
  world.terminal.type("2");
  await world.said("Reviewed.");
  expect(JSON.stringify(world.llm.requests()[0]?.body)).toContain("Review it our way.");
  // Named in full it stands before the chat's own that begin with it.
  await mkdir(join(world.project, ".agents", "commands"), { recursive: true });
  await writeFile(join(world.project, ".agents", "commands", "check.md"), "Check it.");
  world.terminal.type("/check");
  await world.shows(/▸ \/check\s+Check it\.\n\s+\/checkpoint/);
  world.terminal.press("escape", "ctrl+c");
  world.enter("/nosuch");
  await world.said("There is no command /nosuch.");
});
