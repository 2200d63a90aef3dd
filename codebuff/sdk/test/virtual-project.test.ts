import { spawn } from "node:child_process";
import { promises as disk, existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesFromMap } from "@muster/codebuff-workspace";
import { expect, it, onTestFinished } from "vitest";
import {
  type CodebuffFileSystem,
  type CodebuffSpawn,
  generateInitialRunState,
  initialSessionState,
  SdkError,
  type Source,
} from "../src/index.ts";
import { freshFolder } from "./fresh-folder.ts";
import { isRunning } from "./is-running.ts";
import { call, type RunWorld, resultOf, runWorld } from "./run-world.ts";

const root = "/virtual/shop";
const shop = (): Record<string, string> => ({
  "src/cart.ts": "export function addToCart(item: string) {\n  return [item];\n}\n",
  "src/page.ts": 'import { addToCart } from "./cart";\nexport const page = () => addToCart("tea");\n',
  "AGENTS.md": "Tea is sold here.\n",
});
const replace = (path: string, old: string, by: string) =>
  call("str_replace", { path, replacements: [{ old, new: by }] });
const write = (path: string, content: string) => call("write_file", { path, instructions: "", content });

function offeredTools(world: RunWorld): string[] {
  const body = world.llm.requests().at(-1)?.body as { tools: { name: string }[] };
  return body.tools.map(({ name }) => name);
}

it("projectFiles are the project: listed, read, searched and edited there, and the disk knows nothing of it", async () => {
  const projectFiles = shop();
  const world = await runWorld(
    [
      { tools: [call("read_files", { paths: ["src/cart.ts", `${root}/AGENTS.md`, "none.ts"] })] },
      { tools: [replace("AGENTS.md", "Tea", "Green tea"), write("b.md", "b\n")] },
      { tools: [call("code_search", { pattern: "addToCart" }), call("read_files", { paths: ["AGENTS.md"] })] },
      { text: "ok" },
      { tools: [call("read_files", { paths: ["b.md"] })] },
      { text: "ok" },
    ],
    { options: { cwd: root, projectFiles } },
  );
  const first = await world.run();
  expect(first.output.type).toBe("lastMessage");
  expect(resultOf(world.events, "read_files")).toMatchObject([
    { path: "src/cart.ts", content: shop()["src/cart.ts"], referencedBy: { addToCart: ["src/page.ts"] } },
    { path: "AGENTS.md", content: "Tea is sold here.\n" },
    { content: "[FILE_DOES_NOT_EXIST]" },
  ]);
  expect(JSON.stringify(resultOf(world.events, "code_search"))).toContain("./src/page.ts:");
  expect(resultOf(world.events, "read_files", 1)).toMatchObject([{ content: "Green tea is sold here.\n" }]);
  expect(projectFiles).toEqual({ ...shop(), "AGENTS.md": "Green tea is sold here.\n", "b.md": "b\n" });
  expect(first.sessionState?.fileContext).toMatchObject({
    projectRoot: root,
    fileTree: ["AGENTS.md", "src/cart.ts", "src/page.ts"],
    knowledgeFiles: { "AGENTS.md": "Tea is sold here.\n" },
  });
  expect(existsSync(root)).toBe(false);
  const second = await world.run({ previousRun: first });
  expect(resultOf(world.events, "read_files", 2)).toMatchObject([{ content: "b\n" }]);
  // The list stays as the conversation began; what has come is told beside the prompt.
  expect(second.sessionState?.fileContext.fileTree).toEqual(first.sessionState?.fileContext.fileTree);
  expect(JSON.stringify(world.llm.requests().at(-1)?.body)).toContain("+ b.md");
});

it("a virtual project has no terminal, and none is offered", async () => {
  const world = await runWorld([{ tools: [call("run_terminal_command", { command: "touch made" })] }, { text: "ok" }], {
    options: { projectFiles: shop() },
  });
  await world.run();
  expect(offeredTools(world)).toContain("read_files");
  expect(offeredTools(world)).not.toContain("run_terminal_command");
  expect(JSON.stringify(world.events)).toContain("errorMessage");
  expect(await readdir(world.cwd)).toEqual([]);
});

type Make = (source: CodebuffFileSystem) => Source<CodebuffFileSystem>;
const kinds: [string, Make][] = [
  ["a file system", (source) => source],
  ["a promise of one", (source) => Promise.resolve(source)],
  ["a function that makes one", (source) => () => source],
  ["a function that promises one", (source) => async () => source],
];
it.each(kinds)("fsSource may be %s", async (_, make) => {
  const files = shop();
  const fsSource = make(filesFromMap(root, files));
  const world = await runWorld([{ tools: [replace("AGENTS.md", "Tea", "Coffee")] }, { text: "ok" }]);
  await world.run({ cwd: root, fsSource });
  expect(files["AGENTS.md"]).toBe("Coffee is sold here.\n");
});

it("a file system that fails is told: before the run as its output, in a call as the result", async () => {
  const source = filesFromMap(root, shop());
  const readOnly = { ...source, writeFile: () => Promise.reject(new Error("read-only store")) };
  const world = await runWorld([{ tools: [replace("AGENTS.md", "Tea", "Coffee")] }, { text: "ok" }], {
    options: { cwd: root },
  });
  await world.run({ fsSource: readOnly });
  expect(resultOf(world.events, "str_replace")).toMatchObject({ errorMessage: expect.stringContaining("read-only") });
  const broken = { ...source, readdir: () => Promise.reject(new Error("the store is away")) };
  const { output } = await world.run({ fsSource: broken });
  expect(output).toMatchObject({ type: "error", message: expect.stringContaining("the store is away") });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "failed" });
});

it("what can never be a source is refused before anything happens", async () => {
  const world = await runWorld([{ text: "unreached" }], { options: { cwd: root } });
  const fails = () => Promise.reject(new Error("no disk"));
  await expect(world.run({ fsSource: fails })).rejects.toThrow(
    new SdkError("bad_fs_source", "fsSource failed: no disk"),
  );
  await expect(world.run({ fsSource: { ...disk, unlink: undefined } as never })).rejects.toThrow("without unlink");
  await expect(world.run({ projectFiles: {}, spawnSource: "sh" as never })).rejects.toThrow("not a function");
  await expect(world.run({})).rejects.toThrow("There is no directory");
  expect(world.llm.requests()).toEqual([]);
});

it("commands are started by spawnSource, in the directory the project says, and their end is the call's", async () => {
  const folder = await freshFolder("project");
  await writeFile(join(folder, "a.txt"), "one\n");
  const started: unknown[] = [];
  const spawnSource: CodebuffSpawn = (command, args, options) => {
    started.push([command, args, options.cwd]);
    return spawn(command, args, options);
  };
  const world = await runWorld(
    [
      { tools: [call("run_terminal_command", { command: "cat a.txt; echo $WORD; echo bad >&2; exit 3" })] },
      { tools: [call("run_terminal_command", { command: "sleep 600 & echo $! > pid; wait", timeout_seconds: 1 })] },
      { tools: [call("run_terminal_command", { command: "sleep 1", process_type: "BACKGROUND" })] },
      { tools: [write("b.txt", "two\n")] },
      { text: "ok" },
    ],
    { options: { cwd: folder, fsSource: disk, spawnSource, env: { WORD: "tea" } } },
  );
  await world.run();
  expect(started[0]).toEqual(["bash", ["-c", "cat a.txt; echo $WORD; echo bad >&2; exit 3"], folder]);
  expect(resultOf(world.events, "run_terminal_command")).toMatchObject({
    stdout: "one\ntea\n",
    stderr: "bad\n",
    exitCode: 3,
    status: "completed",
  });
  expect(resultOf(world.events, "run_terminal_command", 1)).toMatchObject({ timedOut: true, exitCode: 124 });
  const pid = Number(await readFile(join(folder, "pid"), "utf8"));
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  expect(JSON.stringify(resultOf(world.events, "run_terminal_command", 2))).toContain("nothing runs in the background");
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("two\n");
  expect(offeredTools(world)).toContain("run_terminal_command");
});

it("an abort ends what spawnSource has started", async () => {
  const folder = await freshFolder("project");
  const abort = new AbortController();
  const world = await runWorld(
    [
      {
        tools: [
          call("run_terminal_command", { command: "sleep 600 & echo $! > pid; echo up; wait", timeout_seconds: -1 }),
        ],
      },
    ],
    {
      options: {
        cwd: folder,
        spawnSource: spawn,
        handleEvent: (event) => void (event.type === "tool_progress" && abort.abort()),
      },
    },
  );
  const { output } = await world.run({ signal: abort.signal });
  expect(output).toMatchObject({ type: "error", error: "cancelled" });
  const pid = Number(await readFile(join(folder, "pid"), "utf8"));
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
});

it("configuration comes from a directory of that name, but nothing of it runs for a virtual project", async () => {
  const config = {
    startupProcesses: [{ name: "dev", command: "touch started" }],
    fileChangeHooks: [{ name: "lint", command: "touch linted" }],
    maxAgentSteps: 1,
  };
  const world = await runWorld([{ tools: [replace("AGENTS.md", "Tea", "Coffee")] }, { text: "unreached" }], {
    files: { "codebuff.json": JSON.stringify(config) },
    options: { trust: () => true, projectFiles: shop() },
  });
  await world.run();
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "max_steps" });
  expect(world.events).toContainEqual(expect.objectContaining({ type: "error", code: "hooks", fatal: false }));
  expect(await readdir(world.cwd)).toEqual(["codebuff.json"]);
});

it("nothing of a virtual project stays on the disk after a run", async () => {
  const before = process.env.TMPDIR;
  const temporary = await freshFolder("tmp");
  process.env.TMPDIR = temporary;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  expect(tmpdir()).toBe(temporary);
  const world = await runWorld([{ tools: [call("read_subtree", {})] }, { text: "ok" }], {
    options: { cwd: root, projectFiles: shop() },
  });
  await world.run();
  const left = (await readdir(temporary)).filter((name) => name.startsWith("codebuff-virtual-"));
  expect(left).toEqual([]);
});

it("a session state can be made of files that are not on the disk", async () => {
  const home = await freshFolder("home");
  const files = shop();
  const state = await initialSessionState({ cwd: root, projectFiles: files, home });
  expect(state.fileContext).toMatchObject({ projectRoot: root, fileTree: Object.keys(files).sort() });
  const { sessionState } = await generateInitialRunState({ cwd: root, fs: filesFromMap(root, files), home });
  expect(sessionState?.fileContext.fileTree).toEqual(state.fileContext.fileTree);
  const real = await freshFolder("project");
  await mkdir(join(real, "src"));
  await writeFile(join(real, "src/a.ts"), "");
  const onDisk = await initialSessionState({ cwd: real, fs: disk, home });
  expect(onDisk.fileContext).toMatchObject({ projectRoot: real, fileTree: ["src/a.ts"] });
});
