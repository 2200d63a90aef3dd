import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import type { CodebuffClientOptions, TrustRequest } from "../../src/index.ts";
import { isRunning } from "../is-running.ts";
import { call, resultOf, runWorld } from "../run-world.ts";

const commandHook = (event: string, command: string, more = {}) => ({
  [event]: [{ hooks: [{ type: "command", command, ...more }] }],
});
const settings = (hooks: object) => ({ ".claude/settings.json": JSON.stringify({ hooks }) });
const turns = [{ tools: [call("run_terminal_command", { command: "echo ran" })] }, { text: "Done." }];
const trusted: CodebuffClientOptions = { hooks: true, trust: () => true };
/** The process that a hook has written down. */
async function pidIn(cwd: string): Promise<number> {
  const pid = Number(await readFile(join(cwd, "pid"), "utf8"));
  if (!(pid > 1)) throw new Error("nothing is written down yet");
  return pid;
}

const warningsOf = (events: readonly { type: string; message?: string }[]) =>
  events.flatMap(({ type, message }) => (type === "error" && message !== undefined ? [message] : []));

it.each([
  ["fails", commandHook("PreToolUse", "exit 7"), "ended with code 7"],
  ["does not read its input", commandHook("PreToolUse", "exec 0<&-; true"), undefined],
  ["prints broken JSON", commandHook("PreToolUse", "echo '{'"), "JSON of another form"],
  ["takes too long", commandHook("PreToolUse", "sleep 300", { timeout: 0.3 }), "took longer than 0.3 s"],
  ["is no program", commandHook("PreToolUse", "./nowhere.sh"), "ended with code 127"],
  ["prints without end", commandHook("PreToolUse", "yes | head -c 3000000"), undefined],
])("a hook that %s stops no call", async (_, hooks, told) => {
  const world = await runWorld(turns, { files: settings(hooks), options: trusted });
  await world.run();
  expect(resultOf(world.events, "run_terminal_command")).toMatchObject({ exitCode: 0 });
  const warnings = warningsOf(world.events);
  expect(warnings).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
});

it("what a hook leaves running ends with it", async () => {
  const hooks = commandHook("PreToolUse", 'sleep 300 & echo $! > "$CLAUDE_PROJECT_DIR/pid"');
  const world = await runWorld(turns, { files: settings(hooks), options: trusted });
  await world.run();
  const pid = await pidIn(world.cwd);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
});

it("an interrupt ends the hook that runs", async () => {
  const hooks = commandHook("UserPromptSubmit", 'echo $$ > "$CLAUDE_PROJECT_DIR/pid"; sleep 300');
  const world = await runWorld(turns, { files: settings(hooks), options: trusted });
  const interrupt = new AbortController();
  const running = world.run({ signal: interrupt.signal });
  const pid = await vi.waitFor(() => pidIn(world.cwd), { timeout: 30_000 });
  expect(isRunning(pid)).toBe(true);
  interrupt.abort();
  await running;
  expect(world.llm.requests()).toEqual([]);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
});

it("hooks of a project run when they were accepted, and a changed script is asked for again", async () => {
  const asked: TrustRequest[] = [];
  const files = {
    ...settings(commandHook("UserPromptSubmit", 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh')),
    ".claude/hooks/a.sh": "echo First words\n",
  };
  const world = await runWorld([{ text: "Done.", times: "always" }], { files });
  await world.run({ hooks: true });
  expect(JSON.stringify(world.llm.requests())).not.toContain("First words");
  expect(warningsOf(world.events)).toEqual([expect.stringContaining("its hooks are not used")]);
  const trust = (request: TrustRequest) => {
    asked.push(request);
    return true;
  };
  await world.run({ hooks: true, trust });
  await world.run({ hooks: true, trust });
  expect(JSON.stringify(world.llm.requests())).toContain("First words");
  await writeFile(join(world.cwd, ".claude/hooks/a.sh"), "echo Other words\n");
  await world.run({ hooks: true, trust });
  expect(asked.map(({ items }) => items.map(({ kind, change }) => `${kind} ${change}`))).toEqual([
    ["hooks new"],
    ["hooks changed"],
  ]);
});

it("the person's own hooks need no trust, and disableAllHooks switches all of them off", async () => {
  const world = await runWorld([{ text: "Done.", times: "always" }], {
    files: settings(commandHook("UserPromptSubmit", "echo Of the project")),
    options: trusted,
  });
  const own = join(world.home, ".claude/settings.json");
  await mkdir(dirname(own), { recursive: true });
  const hooks = commandHook("UserPromptSubmit", "echo Of the person");
  await writeFile(own, JSON.stringify({ hooks }));
  await world.run();
  const [first] = world.llm.requests();
  expect(JSON.stringify(first)).toMatch(/Of the person[\s\S]*Of the project/);
  await writeFile(own, JSON.stringify({ disableAllHooks: true, hooks }));
  await world.run();
  expect(JSON.stringify(world.llm.requests().at(-1))).not.toMatch(/Of the p/);
});

it("what cannot be run is told with its place, and the rest runs", async () => {
  const hooks = {
    Elicitation: [{ hooks: [{ type: "command", command: "true" }] }],
    PreToolUse: [{ matcher: "(", hooks: [] }, "nothing"],
    UserPromptSubmit: [
      {
        hooks: [
          { type: "prompt", prompt: "?" },
          { type: "command", command: "echo Sound" },
        ],
      },
    ],
  };
  const world = await runWorld([{ text: "Done." }], { files: settings(hooks), options: trusted });
  await world.run();
  expect(warningsOf(world.events).map((text) => text.replace(world.cwd, ""))).toEqual([
    expect.stringContaining("there is no event Elicitation here"),
    expect.stringContaining("hooks.PreToolUse[0] has no list of hooks, or a matcher that is no pattern"),
    expect.stringContaining("hooks.PreToolUse[1]"),
    expect.stringContaining("hooks.UserPromptSubmit[0].hooks[0] is no command"),
  ]);
  expect(JSON.stringify(world.llm.requests())).toContain("Sound");
});

it("a hook never opens what a rule denies or what is secret", async () => {
  const allow = '{"hookSpecificOutput":{"permissionDecision":"allow"}}';
  const world = await runWorld(
    [
      { tools: [call("run_terminal_command", { command: "make build" }), call("read_files", { paths: [".env"] })] },
      { text: "Done." },
    ],
    {
      files: {
        ...settings(commandHook("PreToolUse", `echo '${allow}'`)),
        ".env": "KEY=1\n",
        Makefile: "build:\n\ttouch x\n",
      },
      options: { ...trusted, permissions: "default", rules: [{ effect: "deny", command: "make *" }] },
    },
  );
  await world.run();
  expect(JSON.stringify(resultOf(world.events, "run_terminal_command"))).toContain("errorMessage");
  expect(JSON.stringify(resultOf(world.events, "read_files"))).toContain("[BLOCKED]");
});
