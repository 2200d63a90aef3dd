import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "./screen-world.ts";
import { noTmux, openTmux } from "./tmux-world.ts";

// A machine without tmux says so in the list of skipped tests.
const inTmux = it.skipIf(noTmux !== undefined);
const title = (text: string) => (noTmux === undefined ? text : `${text} (skipped: ${noTmux})`);
const hello = { conversations: [{ turns: [{ text: "Hello from the model.", times: "always" as const }] }] };

inTmux(title("1 a prompt: what the pane held before stays, and the shell is given back"), async () => {
  const pane = await openTmux(hello);
  await pane.type("for i in $(seq 1 60); do echo earlier $i; done; codebuff");
  await pane.keys("Enter");
  await pane.shows(/^›/m);
  await pane.type("hi there");
  await pane.keys("Enter");
  await pane.shows(/^Hello from the model\.$/m);
  await pane.keys("C-d");
  await pane.shows(/codebuff --continue s_\w+\nbash/);
  const everything = await pane.everything();
  for (let n = 1; n <= 60; n++) expect(everything).toMatch(new RegExp(`^earlier ${n}$`, "m"));
  await pane.type("echo typed$((1+1))");
  await pane.keys("Enter");
  await pane.shows("typed2");
});

inTmux(title("2 resizes while it streams: no line is lost"), async () => {
  const rows = Array.from({ length: 150 }, (_, n) => `row ${n} ${"word ".repeat(n % 30)}`.trim()).join("\n\n");
  const pane = await openTmux({ conversations: [{ turns: [{ text: rows, pace: { chars: 40, delayMs: 15 } }] }] });
  await pane.type("codebuff");
  await pane.keys("Enter");
  await pane.shows(/^›/m);
  await pane.type("count");
  await pane.keys("Enter");
  for (const [at, columns, height] of [
    [20, 60, 20],
    [60, 140, 45],
    [100, 90, 15],
  ] as const) {
    await pane.shows(new RegExp(`^row ${at}\\b`, "m"));
    await pane.resize(columns, height);
  }
  await pane.shows(/^row 149\b/m);
  await pane.shows("% context");
  const everything = await pane.everything();
  const lost = Array.from({ length: 150 }, (_, n) => n).filter(
    (n) => !new RegExp(`^row ${n}\\b`, "m").test(everything),
  );
  expect(lost).toEqual([]);
});

inTmux(title("3 a permission is answered, an edit is made and taken back"), async () => {
  const pane = await openTmux({
    conversations: [
      {
        turns: [
          { tools: [call("write_file", { path: "a.txt", instructions: "x", content: "new line\n" })] },
          { text: "Written." },
        ],
      },
    ],
  });
  await writeFile(join(pane.project, "a.txt"), "old line\n");
  await pane.type("codebuff");
  await pane.keys("Enter");
  await pane.shows(/^›/m);
  await pane.type("change it");
  await pane.keys("Enter");
  await pane.shows("Allow once");
  // The guard of 300 ms has passed when a second look shows the same.
  await new Promise((resolve) => setTimeout(resolve, 400));
  await pane.type("1");
  await pane.shows(/^Written\.$/m);
  await pane.shows("% context");
  expect(await readFile(join(pane.project, "a.txt"), "utf8")).toBe("new line\n");
  await pane.type("/undo");
  await pane.keys("Enter");
  await pane.shows('Taken back: "change it"');
  expect(await readFile(join(pane.project, "a.txt"), "utf8")).toBe("old line\n");
});

inTmux(title("4 a paste of several lines is one prompt, the full screen goes back to the pane as it was"), async () => {
  const pane = await openTmux(hello);
  await pane.type("codebuff");
  await pane.keys("Enter");
  await pane.shows(/^›/m);
  await pane.tmux("set-buffer", "first line\nsecond line");
  await pane.tmux("paste-buffer", "-p");
  await pane.shows(/› first line\n {2}second line/);
  await pane.keys("Enter");
  await pane.shows(/^Hello from the model\.$/m);
  await pane.shows("% context");
  const before = await pane.everything();
  await pane.keys("C-t");
  await pane.shows("lines · PgUp PgDn");
  await pane.keys("C-o");
  await pane.shows("% context");
  expect(await pane.everything()).toBe(before);
  expect(pane.llm.requests()).toHaveLength(1);
});

inTmux(title("5 killed with -9 in the middle; --continue goes on"), async () => {
  const words = { text: "word ".repeat(20_000), pace: { chars: 5, delayMs: 20 } };
  const pane = await openTmux({
    conversations: [{ turns: [words, { text: "Here I am again.", times: "always" }] }],
  });
  await pane.type("codebuff & codebuff=$!; fg");
  await pane.keys("Enter");
  await pane.shows(/^›/m);
  await pane.type("first prompt");
  await pane.keys("Enter");
  await pane.shows("word word");
  const pid = (await pane.tmux("display", "-p", "#{pane_pid}")).trim();
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
  for (const child of children) process.kill(Number(child), "SIGKILL");
  await pane.shows("Killed");
  await pane.type("codebuff --continue");
  await pane.keys("Enter");
  await pane.shows(/interrupted · [^\n]*\n\n›/);
  await pane.type("again");
  await pane.keys("Enter");
  await pane.shows(/^Here I am again\.$/m);
});
