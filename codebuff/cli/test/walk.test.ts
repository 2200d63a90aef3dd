import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, it, onTestFinished, vi } from "vitest";
import { filesCalledIn, filesListed, root } from "../../../test/house/walk-files.ts";
import { openChat } from "../src/open-chat.ts";
import { readRunOptions } from "../src/run-options.ts";
import { call } from "./screen/screen-world.ts";

const words = 'A **bold** word and some code:\n\n```ts\nconst a = "b";\n```\n';
const edit = (old: string, next: string) => call("str_replace", { path: "a.txt", replacements: [{ old, new: next }] });

/** The command on a terminal that is two streams of bytes. */
async function openTerminal() {
  const place = await mkdtemp(join(tmpdir(), "codebuff-walk-"));
  const [cwd, home] = [join(place, "project"), join(place, "home")];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  await writeFile(join(cwd, "a.txt"), "zero\n");
  const turns = [
    { parts: [{ reasoning: "hm" }, { text: words }, { tool: edit("zero", "one") }] },
    { text: "done the first time" },
    { parts: [{ reasoning: "hm" }, { text: words }, { tool: edit("one", "two") }] },
    { text: "done the second time" },
  ];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let shown = "";
  stdout.on("data", (chunk) => {
    shown += String(chunk);
  });
  const interrupted = new AbortController();
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: llm.url };
  const io = { args: [], env, home, cwd, stdin, stdout, stderr: new PassThrough(), interrupted: interrupted.signal };
  const code = openChat(readRunOptions({ permissions: "allow" }, [], io), io);
  onTestFinished(async () => {
    interrupted.abort("SIGTERM");
    await code;
    await llm.close();
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  });
  const shows = (text: string) => vi.waitFor(() => expect(shown).toContain(text), { timeout: 60_000, interval: 20 });
  const prompt = async (text: string, answer: string) => {
    for (const key of text) stdin.write(key);
    stdin.write("\r");
    await shows(answer);
  };
  await shows("/help");
  return { prompt, file: () => readFile(join(cwd, "a.txt"), "utf8") };
}

it("a prompt goes from a key to the model and back to the screen through every file that docs/house.md lists", async () => {
  const terminal = await openTerminal();
  await terminal.prompt("change it", "done the first time");
  const called = await filesCalledIn(() => terminal.prompt("once more", "done the second time"));
  expect(await terminal.file()).toBe("two\n");
  const listed = filesListed("A prompt of Codebuff, file by file");
  // About 55 are natural; a longer list is a detour that somebody has to see.
  expect(listed.length).toBeGreaterThan(45);
  expect(listed.length).toBeLessThanOrEqual(56);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter((file) => !called.has(pathToFileURL(join(root, file)).href))).toEqual([]);
}, 180_000);

const shapes = ["Chunk", "RuntimeAction", "PrintModeEvent", "StreamedEvent", "Entry"];

/** Functions that are handed a text in one of its shapes → why each may. None of them lies between the model and the screen. */
const handed: Readonly<Record<string, string>> = {
  "sdk/src/setup/options.ts handleEvent": "a name of @codebuff/sdk, told by a shell beside the way",
  "sdk/src/setup/options.ts handleStreamChunk": "a name of @codebuff/sdk, told by a shell beside the way",
  "runtime/src/ports.ts tell": "what tools say while they run",
  "sdk/src/tools/sdk-tools.ts #tell": "what tools say while they run",
  "sdk/src/tools/sdk-tools.ts tell": "what tools say while they run",
  "sdk/src/tools/asking.ts emit": "that a person is asked",
  "cli/src/run/session-notes.ts returned": "what the session file notes beside the history",
};

it("between model and screen a text is read in three shapes, and nothing is called with it", async () => {
  const sources = await Promise.all(
    ["runtime", "sdk", "cli"].map(async (name) => {
      const folder = join(root, "codebuff", name, "src");
      const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
      return Promise.all(
        files.map(async (file) => ({ file: `${name}/src/${file}`, text: await readFile(join(folder, file), "utf8") })),
      );
    }),
  );
  const taken = new RegExp(`(#?\\w+|\\))\\??: \\((?:\\w+: )?(?:${shapes.join("|")}|StreamChunk)\\b[^()]*\\) =>`, "g");
  const found = sources
    .flat()
    .flatMap(({ file, text }) =>
      [...text.matchAll(taken)].map(([, name]) => `${file} ${name === ")" ? "returned" : name}`),
    );
  expect([...new Set(found)].sort()).toEqual(Object.keys(handed).sort());

  const read = sources
    .flat()
    .flatMap(({ file, text }) =>
      [...text.matchAll(/Async(?:Iterable|Generator)<(\w+)/g)].map(([, shape = ""]) => ({ file, shape })),
    );
  // A session file and the lines of a program that keeps the command open are read too, and are no model's texts.
  const others = ["sdk/src/sessions/session-reader.ts", "cli/src/headless/control-lines.ts"];
  const onTheWay = read.filter(({ file }) => !others.includes(file));
  expect(onTheWay.length).toBeGreaterThan(10);
  expect(onTheWay.filter(({ shape }) => !shapes.includes(shape))).toEqual([]);

  const front = sources.flat().find(({ file }) => file === "cli/src/chat/chat-front.ts")?.text ?? "";
  expect(front).toMatch(/^ {2}transcriptChanged\(\): void;$/m);
  const screen = sources.flat().filter(({ file }) => /^cli\/src\/(?:chat|screen|transcript|blocks)\//.test(file));
  const timers = screen.filter(({ text }) => /setTimeout\(\(\) => this\.#paint/.test(text)).map(({ file }) => file);
  expect(timers).toEqual(["cli/src/screen/chat-screen.ts"]);
});
