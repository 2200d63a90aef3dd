import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { slashCommands } from "../../src/slash/table.ts";
import { done, terminal, xmlCall } from "../agent-mode/agent-world.ts";
import { openAccount } from "../server-account.ts";
import { call, openScreen, type ScreenOptions, type ScreenWorld } from "./screen-world.ts";
import { expectScreen } from "./screens.ts";

/** Up to the screen that is compared; the name of a row is the command it shows. */
interface Shown extends ScreenOptions {
  readonly go: (world: ScreenWorld) => Promise<void>;
}

const always = (text: string) => [{ text, times: "always" as const }];
const changes: ScreenOptions["turns"] = [
  { tools: [call("run_terminal_command", { command: "echo after > keep.txt; echo new > new.txt" })] },
  { text: "Changed." },
  { text: "Nothing more." },
];
const kept = { "keep.txt": "before\n" };

/** Types a command and waits until this is said. */
const says =
  (command: string, text: string | RegExp) =>
  async (world: ScreenWorld): Promise<void> => {
    world.enter(command);
    await world.said(text);
    await world.idle();
  };

const afterPrompt =
  (...commands: readonly (readonly [command: string, text: string | RegExp])[]) =>
  async (world: ScreenWorld): Promise<void> => {
    await says("please", /% context/)(world);
    for (const [command, text] of commands) await says(command, text)(world);
  };

const shown: Readonly<Record<string, Shown>> = {
  new: { go: afterPrompt(["/new", "A new conversation"]) },
  history: {
    columns: 90,
    turns: always("It is **done**."),
    async go(world) {
      await says("fix the parser", "% context")(world);
      await says("/new", "A new conversation")(world);
      await says("write the tests", /write the tests[\s\S]*done[\s\S]*% context/)(world);
      await says("/history", "Conversations of this project")(world);
      await world.guardPassed();
      world.terminal.type("parser");
      await world.shows(/DEFAULT\n\s+› fix the parser/);
    },
  },
  compact: {
    turns: [
      { match: { user: "Summarise this conversation" }, text: "Task: a story. Done: all of it." },
      { text: "Long story." },
    ],
    go: afterPrompt(["/compact", "Done: all of it."]),
  },
  export: {
    async go(world) {
      await afterPrompt(["/export talk.md", "Wrote "])(world);
      expect(await readFile(join(world.project, "talk.md"), "utf8")).toMatch(
        /^## You\n\nplease\n\nHello\.\n\n\*completed/,
      );
    },
  },
  init: { turns: always("Written."), go: says("init", "Written.") },
  agent: {
    script: {
      conversations: [
        {
          match: { system: "Codebuff in agent mode" },
          turns: [
            {
              text: `I plan.\n${xmlCall("add_subgoal", { id: "g1", objective: "see what is there", status: "IN_PROGRESS" })}`,
            },
            { text: `I look.\n${terminal("ls")}` },
            { text: `${xmlCall("update_subgoal", { id: "g1", status: "COMPLETE" })}\n${done("There is one file.")}` },
          ],
        },
      ],
    },
    files: kept,
    async go(world) {
      await says("/agent", "until it is done: /agent make")(world);
      await says("/agent count the files", /There is one file\.[\s\S]*\$/)(world);
    },
  },
  btw: {
    turns: [
      { tools: [call("run_terminal_command", { command: "until [ -e go ]; do sleep 0.1; done" })] },
      { match: { body: "use the other file" }, text: "The other file it is." },
      { text: "Nobody told me anything." },
    ],
    async go(world) {
      world.enter("go");
      await world.shows("● run_terminal_command");
      world.enter("/btw use the other file");
      await world.shows("joins soon: use the other file");
      await writeFile(join(world.project, "go"), "");
      await world.said(/other file it is[\s\S]*% context/);
    },
  },
  context: {
    turns: always("Hello."),
    async go(world) {
      await says("/context", "The context is empty")(world);
      await afterPrompt(["/context", /free +\d+ % +[·■]+/])(world);
    },
  },
  vim: { go: says("/vim", "The keys of vim") },
  "mode:default": { flags: { max: true, permissions: "allow" }, go: says("/mode:default", "DEFAULT mode from") },
  "mode:free": { go: says("/mode:free", "FREE mode from") },
  "mode:max": { go: says("/mode:max", "MAX mode from") },
  "mode:plan": { go: says("/mode:plan", "PLAN mode from") },
  plan: {
    turns: [{ text: "I would do this.\n<PLAN>\n1. Read\n2. Write\n</PLAN>" }, { text: "Carried out." }],
    async go(world) {
      world.enter("/plan a parser");
      await world.shows("Carry out this plan?");
    },
  },
  review: { turns: always("Nothing to complain about."), go: says("/review", "Nothing to complain about.") },
  interview: { turns: always("No questions."), go: says("/interview a parser", "No questions.") },
  model: {
    async go(world) {
      await says("/model", "Which model?")(world);
      await world.guardPassed();
      world.terminal.type("haiku");
      await world.shows(/▸ claude-haiku/);
    },
  },
  agents: { rows: 45, go: says("/agents", "@base2 ") },
  diff: { files: kept, turns: changes, go: afterPrompt(["/diff", "+after"]) },
  undo: { files: kept, turns: changes, go: afterPrompt(["/undo", 'Taken back: "please"']) },
  redo: {
    files: kept,
    turns: changes,
    go: afterPrompt(["/undo", 'Taken back: "please"'], ["/redo", 'Brought back: "please"']),
  },
  checkpoint: {
    files: kept,
    turns: changes,
    go: afterPrompt(["/checkpoint", "Checkpoint 2."], ["/checkpoint 1", "went back to"]),
  },
  checkpoints: { files: kept, turns: changes, go: afterPrompt(["/checkpoints", /^· 1 {2}/m]) },
  ps: {
    turns: [
      { tools: [call("run_terminal_command", { command: "sleep 300", process_type: "BACKGROUND" })] },
      { text: "It runs." },
    ],
    go: afterPrompt(["/ps", "running  sleep 300"]),
  },
  stop: {
    turns: [
      { tools: [call("run_terminal_command", { command: "sleep 300", process_type: "BACKGROUND" })] },
      { text: "It runs." },
    ],
    async go(world) {
      await afterPrompt(["/ps", "running  sleep 300"])(world);
      const pid = /(\d+) {2}running/.exec(await world.terminal.screen())?.[1] ?? "";
      await says(`/stop ${pid}`, "Stopped")(world);
    },
  },
  bash: { go: says("/bash echo one; (exit 3)", /exit 3\none/) },
  image: {
    files: { "shot.png": "not really a picture" },
    go: says("/image shot.png", "shot.png goes with the next prompt"),
  },
  "skill:": {
    flags: { trust: true },
    files: { ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up\n---\nTidy.\n" },
    turns: always("Tidied."),
    async go(world) {
      await says("/skill:nothing", "There is no skill nothing")(world);
      await says("/skill:tidy the shelf", "Tidied.")(world);
    },
  },
  skills: {
    files: { ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up\n---\nTidy.\n" },
    go: says("/skills", "/skill:tidy"),
  },
  mcp: {
    files: { ".agents/mcp.json": JSON.stringify({ mcpServers: { clock: { command: "clock-server" } } }) },
    go: says("/mcp", "clock"),
  },
  login: {
    async go(world) {
      const account = await openAccount(world);
      await account.serve();
      world.io.env.CODEBUFF_BASE_URL = account.env.CODEBUFF_BASE_URL;
      world.enter("/login");
      await world.said("Waiting …");
    },
  },
  logout: { go: says("logout", "You were not logged in.") },
  usage: {
    async go(world) {
      const account = await openAccount(world);
      await account.serve();
      Object.assign(world.io.env, account.env);
      await says("/usage", "credits left")(world);
    },
  },
  connect: { go: says("/connect", "No subscription is configured") },
  feedback: { go: says("/feedback the diff was cut", "Thank you") },
  publish: {
    files: { ".agents/helper.ts": 'export default { id: "helper", displayName: "Helper" };\n' },
    go: says("/publish helper", "Publishing needs a Codebuff account"),
  },
  help: { rows: 110, columns: 130, go: says("help", "names files and agents") },
  variant: { go: says("/variant high", "high effort from the next prompt on") },
  permissions: {
    async go(world) {
      await says("/permissions accept-edits", "Permissions from the next call on: accept-edits")(world);
      await says("/permissions list", "There are no rules")(world);
      await says("/permissions", "What is asked for? Now: accept-edits")(world);
    },
  },
  config: {
    rows: 45,
    columns: 120,
    async go(world) {
      await says("/config model anthropic/claude-opus-4.6", "model = anthropic/claude-opus-4.6")(world);
      await says("/config", /permissions\.mode/)(world);
    },
  },
  trust: {
    files: { ".agents/mcp.json": JSON.stringify({ mcpServers: { clock: { command: "clock-server" } } }) },
    go: says("/trust", "This project brings one thing"),
  },
  theme: { go: says("/theme light", "The light theme from here on.") },
  "theme:toggle": {
    async go(world) {
      await says("in the dark", /% context/)(world);
      await says("/theme:toggle", "The light theme from here on.")(world);
      await says("in the light", /in the light[\s\S]*Hello\.[\s\S]*\$/)(world);
    },
  },
  copy: {
    async go(world) {
      await afterPrompt(["/copy", "The last answer is in the clipboard"])(world);
      expect(world.terminal.written).toContain(`\u001b]52;c;${Buffer.from("Hello.").toString("base64")}\u0007`);
    },
  },
  diagnostics: {
    async go(world) {
      await says("/diagnostics", /✓ plan {6}PLAN/)(world);
      // What is found depends on the machine: that all of it is told does not.
      const told = (await world.terminal.screen()).matchAll(/[✓✗] (\w+) {2,}/g);
      expect([...told].map(([, subject]) => subject)).toEqual(
        expect.arrayContaining(["keys", "login", "models", "git", "ripgrep", "terminal", "plan"]),
      );
      await says("/new", "A new conversation")(world);
    },
  },
  exit: {
    async go(world) {
      await afterPrompt(["/mode:plan", "PLAN mode"])(world);
      world.enter("exit");
      expect(await world.code).toBe(0);
    },
  },
};

it("every command of the table has its screen", () => {
  expect(Object.keys(shown).sort()).toEqual(slashCommands.map(({ name }) => name).sort());
});

/** Their screens depend on the machine. */
const unlike = new Set(["diagnostics"]);

it.each(Object.entries(shown))("/%s", async (name, { go, ...options }) => {
  const world = await openScreen({ columns: 100, rows: 30, ...options });
  await go(world);
  if (!unlike.has(name)) await expectScreen(world, `command-${name.replaceAll(":", "-").replace(/-$/, "")}`);
});

it("a mistyped command is not sent; the nearest one is named", async () => {
  const world = await openScreen();
  await says("/chekpoints", "Did you mean /checkpoints?")(world);
  await expectScreen(world, "mistyped");
  expect(world.llm.requests()).toEqual([]);
});
