import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openPtyWorld } from "./pty-world.ts";
import { call } from "./screen-world.ts";

const question = {
  questions: [
    { question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres", description: "a server" }] },
    { question: "Which extras?", options: [{ label: "Cache" }, { label: "Queue" }], multiSelect: true },
  ],
};
const script = {
  conversations: [
    {
      turns: [
        { text: "Two **questions**.\n", tools: [call("ask_user", question)] },
        { tools: [call("write_file", { path: "a.txt", instructions: "x", content: "made\n" })] },
        { match: { toolResult: "made" }, text: "Written to `a.txt`." },
        { text: "Not written.", times: "always" as const },
      ],
    },
  ],
};

describe.each([
  ["--plain", "codebuff --plain --permissions default", {}],
  ["TERM=dumb", "codebuff --permissions default", { TERM: "dumb" }],
])("%s", (_, command, env) => {
  it("speaks every finished item once, asks by number, and moves or colours nothing", async () => {
    const world = await openPtyWorld(script);
    const shell = world.openShell(env);
    shell.type(`${command}\r`);
    await shell.shows("Type a prompt and press Enter.");
    shell.type("set it up\r");
    await shell.shows("Question 1 of 2: Which database?");
    await shell.shows("2. Postgres (a server)");
    await shell.pass(350);
    shell.type("2\r");
    await shell.shows("Question 2 of 2: Which extras?");
    await shell.pass(350);
    shell.type("1, 2\r");
    await shell.shows("Permission: ");
    await shell.shows("+made");
    await shell.pass(350);
    shell.type("1\r");
    await shell.shows(/^Codebuff: Written to `a\.txt`\.$/m);
    await shell.shows(/^Finished: .*\$/m);
    expect(await readFile(join(world.project, "a.txt"), "utf8")).toBe("made\n");
    shell.type("/exit\r");
    await shell.shows(/codebuff --continue s_\w+\nshell>/);
    const everything = await shell.everything();
    for (const line of ["You: set it up", "Tool: question Which database?: Postgres; Cache, Queue"]) {
      expect(everything.split("\n").filter((one) => one === line)).toHaveLength(1);
    }
    expect(everything).toMatch(/^Codebuff: Two \*\*questions\*\*\.$/m);
    expect(everything).toMatch(/^Tool: write_file a\.txt: done$/m);
    // The shell itself writes some; between its prompts there is not one escape sequence.
    const own = shell.written.slice(
      shell.written.indexOf("Type a prompt"),
      shell.written.indexOf("codebuff --continue"),
    );
    expect(own).not.toContain("\u001b");
  });
});

it("goes on with a session, and says its last messages", async () => {
  const world = await openPtyWorld({ conversations: [{ turns: [{ text: "Hello.", times: "always" as const }] }] });
  const shell = world.openShell();
  shell.type("codebuff --plain\r");
  await shell.shows("Type a prompt");
  shell.type("first\r");
  await shell.shows(/^Finished: /m);
  shell.type("\u0004");
  await shell.shows(/codebuff --continue s_\w+\nshell>/);
  const again = world.openShell();
  again.type("codebuff --plain --continue\r");
  await again.shows(/^You: first$/m);
  await again.shows(/^Codebuff: Hello\.$/m);
});

it("is interrupted by Ctrl-C, asks before it leaves by Ctrl-C, and leaves by the second", async () => {
  const world = await openPtyWorld({
    conversations: [
      {
        turns: [
          { match: { user: "first" }, text: "Word by word. ".repeat(400), pace: { chars: 14, delayMs: 50 } },
          { match: { body: "second" }, tools: [call("ask_user", question)] },
          { text: "Here again.", times: "always" as const },
        ],
      },
    ],
  });
  const shell = world.openShell();
  shell.type("codebuff --plain\r");
  await shell.shows("Ctrl-C interrupts");
  shell.type("first\r");
  await vi.waitFor(() => expect(world.llm.requests()).toHaveLength(1), { timeout: 60_000 });
  shell.type("\u0003");
  await shell.shows(/^Interrupting\.$/m);
  await shell.shows(/^Interrupted: /m);
  // A question is refused first; the run goes on.
  shell.type("second\r");
  await shell.shows("Question 1 of 2: Which database?");
  await shell.pass(350);
  shell.type("\u0003");
  await shell.shows(/^Codebuff: Here again\.$/m);
  // A command of the person's own has it before the run, a prompt that is not whole before both.
  shell.type("!touch begun; sleep 300\r");
  await vi.waitFor(() => access(join(world.project, "begun")), { timeout: 60_000 });
  shell.type("\u0003");
  await shell.shows(/^Command: touch begun; sleep 300: exit 130$/m);
  const pressed = async (before: string, seen: RegExp) => {
    shell.type(before);
    await shell.pass(200);
    shell.type("\u0003");
    await shell.pass(300);
    expect(await shell.everything()).toMatch(seen);
  };
  // The terminal throws away what nobody has read when Ctrl-C comes; then the line was not typed in time.
  const patience = { timeout: 60_000, interval: 2100 };
  await vi.waitFor(() => pressed("half a prompt \\\r", /^Cleared\.$/m), patience);
  await shell.pass(2100);
  await vi.waitFor(() => pressed("", /^Ctrl-C once more leaves\.$[\s\S]*shell>/m), { ...patience, interval: 10 });
});
