import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { call, openScreen } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";

it("Ctrl-T shows results as text: files under their names, hits of a search, entries of a directory", async () => {
  const world = await openScreen({
    files: { "src/a.ts": 'const a = "one";\nexport { a };\n', "src/b.ts": "const b = 2;\n" },
    turns: [
      { tools: [call("read_files", { paths: ["src/a.ts", "src/b.ts"] })] },
      { tools: [call("code_search", { pattern: "const" })] },
      { tools: [call("list_directory", { path: "src" })] },
      { text: "Seen." },
    ],
  });
  world.enter("look");
  await world.said(/Seen\.[\s\S]*% context/);
  const folded = (await world.terminal.everything()).join("\n");
  expect(folded).toMatch(/code_search const · 2 hits in 2 files/);
  expect(folded).toMatch(/list_directory src · 2 files, 0 directories/);
  world.terminal.press("ctrl+t");
  await world.shows('  const a = "one";');
  await expectScreen(world, "results-unfolded");
});

it("a failing command shows how its output begins and ends, and how many lines are between", async () => {
  const world = await openScreen({
    turns: [{ tools: [call("run_terminal_command", { command: "seq 1 50; (exit 3)" })] }, { text: "Failed." }],
  });
  world.enter("count");
  await world.said("Failed.");
  const all = (await world.terminal.everything()).join("\n");
  expect(all).toMatch(
    /exit 3[\s\S]*\n {2}1\n[\s\S]* {2}8\n {2}… 36 lines between, ctrl\+t shows all\n {2}45\n[\s\S]* {2}50\n/,
  );
});

it("a diff has the numbers of its lines", async () => {
  const world = await openScreen({
    files: { "a.txt": `${Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join("\n")}\n` },
    turns: [
      {
        tools: [
          call("str_replace", { path: "a.txt", replacements: [{ old: "line 12\n", new: "line twelve\nmore\n" }] }),
        ],
      },
      { text: "Edited." },
    ],
  });
  world.enter("edit");
  await world.said("Edited.");
  const all = (await world.terminal.everything()).join("\n");
  expect(all).toMatch(/11 {2}line 11\n\s+12 -line 12\n\s+12 \+line twelve\n\s+13 \+more\n\s+14 {2}line 13\n/);
});

it("the time of a call has neither its neighbours nor the person in it", async () => {
  const world = await openScreen({
    files: { "a.txt": "one\n" },
    flags: { permissions: "default" },
    turns: [
      {
        tools: [call("read_files", { paths: ["a.txt"] }), call("run_terminal_command", { command: "touch x" })],
      },
      { text: "Done." },
    ],
  });
  world.enter("go");
  await world.shows("Allow once");
  // The person thinks for a while.
  await setTimeout(6000);
  world.terminal.type("1");
  await world.said(/Done\.[\s\S]*% context/);
  const all = (await world.terminal.everything()).join("\n");
  const seconds = (line: string | undefined) => Number(/(\d+\.\d) s/.exec(line ?? "")?.[1] ?? 0);
  const lines = all.split("\n");
  const timed = lines.filter((line) => /✓ (?:read_files|run_terminal_command)| s · \$/.test(line));
  expect(timed.length).toBeGreaterThanOrEqual(2);
  expect(timed.filter((line) => seconds(line) >= 6)).toEqual([]);
  await world.leave();
  // The session file knows when the person answered, which is no time of the call either.
  const again = await openScreen({ place: world, flags: { continue: true, permissions: "default" } });
  await again.said(/✓ run_terminal_command touch x[\s\S]*Done\./);
  const resumed = (await again.terminal.everything()).filter((line) =>
    /✓ (?:read_files|run_terminal_command)/.test(line),
  );
  expect(resumed.filter((line) => seconds(line) >= 6)).toEqual([]);
}, 60_000);
