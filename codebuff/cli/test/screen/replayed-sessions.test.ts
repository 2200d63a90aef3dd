import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionStore } from "@muster/codebuff-sdk";
import { expect, it } from "vitest";
import { loadTail } from "../../src/run/load-tail.ts";
import { foldAll } from "../../src/transcript/fold.ts";
import { itemsAsMarkdown } from "../../src/transcript/items-as-markdown.ts";
import { noteKinds, replay } from "../../src/transcript/replay.ts";
import { done, terminal, xmlCall } from "../agent-mode/agent-world.ts";
import { call, openScreen, type ScreenOptions, type ScreenWorld } from "./screen-world.ts";
import { showcase } from "./showcase.ts";

interface Lived extends ScreenOptions {
  readonly live: (world: ScreenWorld) => Promise<void>;
}

const ended = /s · \$[\d.]+|cost unknown/;
const question = { question: "Which?", options: [{ label: "This" }, { label: "That" }] };

/** Sessions with everything that a session file has to tell. */
const sessions: Readonly<Record<string, Lived>> = {
  "tools, thoughts, todos, a sub-agent, an edit, Markdown": {
    ...showcase,
    async live(world) {
      world.enter("why is the last line missing?");
      await world.said("% context");
    },
  },
  "a question and a permission": {
    flags: { permissions: "default" },
    turns: [
      { tools: [call("ask_user", { questions: [question] })] },
      { tools: [call("run_terminal_command", { command: "touch made.txt" })] },
      { text: "Both answered." },
    ],
    async live(world) {
      world.enter("ask me");
      await world.shows("Which?");
      await world.guardPassed();
      world.terminal.press("enter");
      await world.shows("Allow once");
      await world.guardPassed();
      world.terminal.type("1");
      await world.said("% context");
    },
  },
  "an interrupt, steering, a failure of the model, a command of the person": {
    script: {
      conversations: [
        {
          turns: [
            { tools: [call("run_terminal_command", { command: "until [ -e go ]; do sleep 0.1; done" })] },
            { text: "Steered." },
            { tools: [call("run_terminal_command", { command: "sleep 300" })] },
            { fault: { kind: "status", status: 400 } },
          ],
        },
      ],
    },
    async live(world) {
      world.enter("first");
      await world.shows("● run_terminal_command");
      world.enter("/btw this too");
      await world.shows("joins soon");
      await writeFile(join(world.project, "go"), "");
      await world.said(/Steered\.[\s\S]*% context/);
      world.enter("second");
      await world.shows("● run_terminal_command sleep 300");
      world.terminal.press("escape");
      await world.said(/^interrupted · /m);
      world.enter("!echo by hand; (exit 4)");
      await world.said("(exit 4) exit 4");
      world.enter("third");
      await world.said(/^failed · /m);
    },
  },
  "a task of agent mode": {
    script: {
      conversations: [
        {
          match: { system: "Codebuff in agent mode" },
          turns: [
            { text: `I plan.\n${xmlCall("add_subgoal", { id: "g", objective: "look", status: "IN_PROGRESS" })}` },
            { text: `I look.\n${terminal("echo seen")}` },
            { text: done("Done.") },
          ],
        },
      ],
    },
    async live(world) {
      world.enter("/agent look around");
      await world.said(/Done\.[\s\S]*\$/);
      await world.idle();
    },
  },
};

it.each(Object.entries(sessions))("%s: live, resumed and exported tell the same", async (_, { live, ...options }) => {
  const world = await openScreen({ rows: 90, ...options });
  await live(world);
  await world.idle();
  const seen = toldBy(await world.terminal.everything());
  world.enter("/export live.md");
  await world.said("Wrote ");
  await world.leave();

  const again = await openScreen({ rows: 90, place: world, flags: { continue: true } });
  await again.said(ended);
  await expect.poll(async () => toldBy(await again.terminal.everything())).toEqual(seen);

  expect(await readFile(join(world.project, "live.md"), "utf8")).toBe(itemsAsMarkdown(await storedItems(world)));
  expect(readdirSync(world.project)).toContain("live.md");
});

it("a prompt sent while a command of the person runs stands behind it, live, resumed and exported", async () => {
  const world = await openScreen({ rows: 90, turns: [{ text: "Begun." }, { text: "Answered." }] });
  world.enter("first");
  await world.said("% context");
  world.enter("!until [ -e go ]; do sleep 0.1; done; echo gone");
  await world.shows("! until");
  world.enter("second");
  await writeFile(join(world.project, "go"), "");
  await world.said(/Answered\.[\s\S]*% context/);
  await world.said(/^gone$/m);
  await world.idle();
  world.enter("/export live.md");
  await world.said("Wrote ");
  await world.leave();
  const stored = await storedItems(world);
  const run = ["user", "run", "text", "end"];
  expect(stored.map(({ kind }) => kind)).toEqual([...run, "command", ...run]);
  expect(await readFile(join(world.project, "live.md"), "utf8")).toBe(itemsAsMarkdown(stored));
});

it("a command of the person that a kill cut short has ended when its session is resumed", () => {
  const note = (n: number, value: object) => ({ n, at: n, type: "note", kind: noteKinds.person, value }) as const;
  const entries = replay([note(1, { type: "user_command", id: "c1", command: "sleep 300" })]);
  expect(foldAll(entries)).toMatchObject([{ kind: "command", command: "sleep 300", endedAt: 1 }]);
});

async function storedItems({ project, home }: ScreenWorld) {
  const store = new SessionStore({ cwd: project, home });
  const id = (await store.latest()) ?? "";
  const { items } = await loadTail({ page: (of, page) => store.page(of, page) }, id, { limit: 10_000 });
  return items;
}

/** What was said and done, without what only this moment shows. */
function toldBy(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !/^codebuff \d|^› $|^DEFAULT|^FREE|\/export|Wrote |^$|^…/.test(line))
    .map((line) => line.replaceAll(/ · [\d.]+ s\b|[\d.]+ m?s · /g, "").replace(/\$[\d.]+|cost unknown/, "COST"))
    .filter((line) => !/^(?:! )?This session/.test(line));
}
