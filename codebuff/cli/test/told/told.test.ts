import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { ScriptInput } from "@muster/scripted-llm";
import { expect, it, onTestFinished, vi } from "vitest";
import { openChat } from "../../src/open-chat.ts";
import { readRunOptions } from "../../src/run-options.ts";
import { done, terminal, xmlCall } from "../agent-mode/agent-world.ts";
import { openWorld, type World } from "../command.ts";
import { openScreen } from "../screen/screen-world.ts";
import { showcase } from "../screen/showcase.ts";

const call = (name: string, input: Record<string, unknown>) => ({ name, input, native: true });
const json = (value: object) => [{ type: "json", value }];
const question = { question: "Which?", options: [{ label: "This" }, { label: "That" }] };

type Running = ReturnType<World["start"]>;

/** One session: what the model says, and who talks with it. */
interface Told {
  readonly script: ScriptInput;
  readonly files?: Readonly<Record<string, string>>;
  /** Of a run that is told as JSON lines, as one object and as text; left out, it is told by `talk` alone. */
  readonly prompt?: string;
  readonly flags?: readonly string[];
  /** With a process that is kept open. */
  readonly talk?: (running: Running, world: World) => Promise<void>;
  /** With `--plain`: what is typed, and what has to be said before. */
  readonly type?: readonly (readonly [after: string | RegExp, line: string])[];
}

const finished = (n: number) => (running: Running) => running.line("finish", n);

const sessions: Readonly<Record<string, Told>> = {
  showcase: {
    // In a shell of its own: of a shell that ends itself a busy machine may lose the last words.
    script: JSON.parse(JSON.stringify(showcase.script).replace("; exit 1", "; (exit 1)")) as ScriptInput,
    files: showcase.files,
    prompt: "why is the last line missing?",
    async talk(running) {
      running.send({ type: "user_message", messageId: "m1", text: "why is the last line missing?" });
      await finished(1)(running);
    },
    type: [["Type a prompt", "why is the last line missing?"]],
  },
  "question-and-permission": {
    script: {
      conversations: [
        {
          turns: [
            { tools: [call("ask_user", { questions: [question] })] },
            { tools: [call("write_file", { path: "made.txt", instructions: "make it", content: "made\n" })] },
            { text: "Both answered." },
          ],
        },
      ],
    },
    flags: ["--permissions", "default"],
    prompt: "ask me",
    async talk(running) {
      running.send({ type: "user_message", messageId: "m1", text: "ask me" });
      const { toolCallId } = await running.line("tool_call");
      const answers = json({ answers: [{ questionIndex: 0, selectedOption: "That" }] });
      running.send({ type: "tool_result", toolCallId, output: answers });
      const permission = await running.line(({ type, permission }) => type === "tool_call" && permission !== undefined);
      running.send({ type: "tool_result", toolCallId: permission.toolCallId, output: json({ decision: "once" }) });
      await finished(1)(running);
    },
    type: [
      ["Type a prompt", "ask me"],
      ["Question", "2"],
      ["Permission", "1"],
    ],
  },
  "steering-cancel-failure": {
    script: {
      conversations: [
        {
          turns: [
            { tools: [call("run_terminal_command", { command: "until [ -e go ]; do sleep 0.05; done" })] },
            { text: "Steered." },
            { tools: [call("run_terminal_command", { command: "sleep 300" })] },
            { fault: { kind: "status", status: 400 } },
          ],
        },
      ],
    },
    async talk(running, { project }) {
      running.send({ type: "user_message", messageId: "m1", text: "first" });
      await running.line("tool_call");
      running.send({ type: "user_message", messageId: "m2", text: "this too" });
      await writeFile(join(project, "go"), "");
      await finished(1)(running);
      running.send({ type: "user_message", messageId: "m3", text: "second" });
      await running.line("tool_call", 2);
      running.send({ type: "cancel" });
      await finished(2)(running);
      running.send({ type: "user_message", messageId: "m4", text: "third" });
      await finished(3)(running);
    },
  },
  "agent-mode": {
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
    prompt: "/agent look around",
    async talk(running) {
      running.send({ type: "user_message", messageId: "m1", text: "/agent look around" });
      await finished(1)(running);
    },
    type: [["Type a prompt", "/agent look around"]],
  },
  "cut-and-wrong": {
    script: {
      conversations: [
        {
          turns: [
            { text: "This breaks off in the middle.", fault: { kind: "drop", atByte: 900 } },
            { tools: [call("write_file", { nonsense: true }), call("no_such_tool", {})] },
            { text: "<think>only a thought</think>" },
            { parts: [{ reasoning: "Now it is right." }, { text: "Two " }, { text: "parts." }] },
          ],
        },
      ],
    },
    prompt: "go",
    type: [["Type a prompt", "go"]],
  },
  "two-children": {
    script: {
      conversations: [
        {
          match: { firstUser: "look at" },
          turns: [{ parts: [{ reasoning: "hm" }, { text: "A child's words." }], times: "always" }],
        },
        {
          turns: [
            {
              text: "I ask.",
              tools: ["one", "two"].map((name) =>
                call("spawn_agents", { agents: [{ agent_type: "thinker", prompt: `look at ${name}` }] }),
              ),
            },
            { text: "All have answered." },
          ],
        },
      ],
    },
    prompt: "send them",
    type: [["Type a prompt", "send them"]],
  },
  "max-steps": {
    script: {
      conversations: [{ turns: [{ text: "Again.", tools: [call("list_directory", { path: "." })], times: "always" }] }],
    },
    flags: ["--max-steps", "2"],
    prompt: "go on for ever",
    type: [["Type a prompt", "go on for ever"]],
  },
  "out-of-budget": {
    script: { conversations: [{ turns: [{ text: "Dear words.", times: "always" }] }] },
    flags: ["--budget", "0.000001", "--model", "anthropic/claude-sonnet-4.5"],
    async talk(running) {
      running.send({ type: "user_message", messageId: "m1", text: "one" });
      await finished(1)(running);
      running.send({ type: "user_message", messageId: "m2", text: "two" });
      await finished(2)(running);
    },
    type: [
      ["Type a prompt", "one"],
      ["Finished", "two"],
    ],
  },
};

const withPrompt = Object.entries(sessions).filter(([, { prompt }]) => prompt !== undefined);
const forms = [["--stream-json"], ["--stream-json", "-q"], ["--json"], ["-n"], ["-n", "-q"]];

it.each(withPrompt.flatMap(([name, told]) => forms.map((form) => [name, form.join(" "), told] as const)))(
  "%s %s: is told as it always was",
  async (name, form, told) => {
    const world = await worldOf(told);
    const { code, out, err } = await world.run([...form.split(" "), ...(told.flags ?? []), told.prompt ?? ""]);
    await expect(still(`exit ${code}\n${out}--\n${err}`, world)).toMatchFileSnapshot(fileOf(name, form));
  },
);

it.each(Object.entries(sessions).filter(([, { talk }]) => talk !== undefined))(
  "%s: a process that is kept open tells it as it always did",
  async (name, told) => {
    const world = await worldOf(told);
    const running = world.start(["--input-format", "stream-json", ...(told.flags ?? [])]);
    await running.line("ready");
    await told.talk?.(running, world);
    running.child.stdin.end();
    const { code, out, err } = await running.end();
    await expect(still(`exit ${code}\n${out}--\n${err}`, world)).toMatchFileSnapshot(fileOf(name, "kept open"));
  },
);

it.each(Object.entries(sessions).filter(([, { type }]) => type !== undefined))(
  "%s --plain: is spoken as it always was",
  async (name, told) => {
    const world = await worldOf(told);
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    let said = "";
    stdout.on("data", (chunk) => {
      said += String(chunk);
    });
    const io = {
      args: [],
      env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: world.llm.url },
      home: world.home,
      cwd: world.project,
      stdin,
      stdout,
      stderr: new PassThrough(),
      interrupted: new AbortController().signal,
    };
    const policy = told.flags?.includes("--permissions") ? "default" : "allow";
    const limits = told.flags?.includes("--max-steps") ? { maxSteps: "2" } : {};
    const budget = told.flags?.includes("--budget") ? { budget: "0.000001", model: "anthropic/claude-sonnet-4.5" } : {};
    const code = openChat(readRunOptions({ plain: true, permissions: policy, ...limits, ...budget }, [], io), io);
    const saying = (text: string | RegExp) =>
      vi.waitFor(() => expect(said).toMatch(text), { timeout: 60_000, interval: 20 });
    for (const [after, line] of told.type ?? []) {
      await saying(after);
      // A dialog listens to keys only after the 300 ms in which they may have been meant for the text.
      await new Promise((resolve) => setTimeout(resolve, 350));
      stdin.write(`${line}\n`);
    }
    await saying(/^(?:Finished|Failed|Stopped|Error)[^\n]*\n(?:[\s\S]*\n)?$/m);
    if (name === "out-of-budget") await saying("nothing was sent");
    stdin.write("/exit\n");
    expect(await code).toBe(0);
    await expect(still(said, world)).toMatchFileSnapshot(fileOf(name, "--plain"));
  },
);

it.each(Object.entries(sessions).filter(([, { type }]) => type?.length === 1))(
  "%s on the screen: is shown as it always was",
  async (name, { script, files, flags, type }) => {
    const limits = flags?.includes("--max-steps") ? { maxSteps: "2" } : {};
    const world = await openScreen({ script, files, flags: limits, rows: 60 });
    await world.shows("/help");
    world.enter(type?.[0]?.[1] ?? "");
    await world.said(/\$\d[\d.]*(?: |$)/m);
    await world.idle();
    await world.leave();
    const said = (await world.terminal.everything()).join("\n");
    await expect(still(said, world)).toMatchFileSnapshot(fileOf(name, "screen"));
  },
);

async function worldOf({ script, files }: Told): Promise<World> {
  const world = await openWorld(script, { ...files });
  onTestFinished(() => world.close());
  return world;
}

function fileOf(name: string, form: string): string {
  return new URL(`${name}.${form.replaceAll(/\W+/g, "-").replace(/^-/, "")}.txt`, import.meta.url).pathname;
}

/** Without what differs from run to run and from machine to machine; a thing with an id keeps its name. */
function still(text: string, { project, home, llm }: Pick<World, "project" | "home" | "llm">): string {
  const names = new Map<string, string>();
  const rename = (id: string) => {
    if (!names.has(id)) names.set(id, `id-${names.size + 1}`);
    return names.get(id) ?? id;
  };
  return (
    text
      .split("\n")
      .filter((line) => !line.startsWith('{"type":"tool_progress"'))
      .join("\n")
      .replaceAll(project, "PROJECT")
      .replaceAll(home, "HOME")
      .replaceAll(llm.url, "MODEL")
      .replaceAll(/\b(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, rename)
      .replaceAll(/\b(?:(?:call|agent)_[0-9a-f]{16}|s_[a-z0-9]{10,})\b/g, rename)
      .replaceAll(/"(?:sentAt|untilMs|durationMs|startTime)":\d+/g, '"time":0')
      .replaceAll(/"(\w*[tT]okens\w*|totalCost|totalCostUsd|creditsUsed)":[\d.e-]+/g, '"$1":0')
      .replaceAll(/"version":"[\d.]+"/g, '"version":"V"')
      .replaceAll(/\b(?:\d+ min )?\d+(?:\.\d+)? m?s\b/g, "TIME")
      // A short time is not told.
      .replaceAll(/(?:, | · )TIME(?=$|\n)/g, "")
      .replaceAll(/(?<=[Tt]hought)(?:: a moment|: TIME| for TIME)?/g, "")
      // Whether the command or the tool is first to tell.
      .replaceAll(/\{"command":"sleep 300"[^}]*\}|\{"errorMessage":"Interrupted by the user"\}/g, '"INTERRUPTED"')
      .replaceAll(/\$\d[\d.]*/g, "COST")
      .replaceAll(/codebuff \d[\d.]* ·/g, "codebuff V ·")
  );
}
