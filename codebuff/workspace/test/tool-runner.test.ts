import { readFileSync } from "node:fs";
import path from "node:path";
import { outputError, toolNames, toolTable } from "@muster/codebuff-protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CustomTool } from "../src/index.ts";
import { projectFixture } from "./project-fixture.ts";

const call = (toolName: string, input: Record<string, unknown> = {}, toolCallId = toolName) => ({
  toolName,
  toolCallId,
  input: input as never,
});
const circular: Record<string, unknown> = {};
circular.self = circular;

describe("D6: whatever a tool does, its call gets a result and the others go on", () => {
  const bad: Record<string, CustomTool> = {
    throws: {
      execute: () => {
        throw new Error("sync");
      },
    },
    rejects: { execute: () => Promise.reject(new Error("async")) },
    "throws-text": { execute: () => Promise.reject("text") },
    nothing: { execute: () => undefined },
    "no-list": { execute: () => ({ message: "x" }) },
    circular: { execute: () => [{ type: "json", value: circular }] },
    bigint: { execute: () => [{ type: "json", value: 1n }] },
    "wrong-part": { execute: () => [{ type: "video" }] },
    "bad-input": {
      checkInput: () => {
        throw new Error("wrong input");
      },
      execute: () => [],
    },
  };

  test.each(Object.keys(bad))("a tool that %s", async (name) => {
    const { hands } = await projectFixture({ "a.txt": "a\n" }, { customTools: bad });
    const results = await hands.call([call(name), call("read_files", { paths: ["a.txt"] })]);
    expect(results.map((result) => result.toolName)).toEqual([name, "read_files"]);
    expect(outputError(results[0]?.output ?? [])).toMatch(/./);
    expect(outputError(results[1]?.output ?? [])).toBeUndefined();
  });

  test("a tool that never settles ends with the abort", async () => {
    const { hands } = await projectFixture(
      {},
      { customTools: { hangs: { execute: () => new Promise(() => undefined) } } },
    );
    const abort = new AbortController();
    const running = hands.call([call("hangs")], { signal: abort.signal });
    abort.abort();
    const [result] = await running;
    expect(outputError(result?.output ?? [])).toContain("Interrupted");
  });

  test("a call after the abort is not started", async () => {
    let ran = false;
    const touch: CustomTool = {
      execute: () => {
        ran = true;
        return [];
      },
    };
    const { hands } = await projectFixture({}, { customTools: { touch } });
    const [result] = await hands.call([call("touch")], { signal: AbortSignal.abort() });
    expect(outputError(result?.output ?? [])).toContain("Interrupted");
    expect(ran).toBe(false);
  });

  test("an unknown tool and wrong arguments are results too", async () => {
    const { hands } = await projectFixture();
    const calls = [call("no_such_tool"), call("toString"), call("read_files", { paths: 7 })];
    const results = await hands.call(calls);
    expect(results.map((result) => outputError(result.output))).toEqual([
      "There is no tool named no_such_tool",
      "There is no tool named toString",
      expect.stringContaining("Invalid input for read_files: paths"),
    ]);
  });
});

describe("order", () => {
  /** Tools that tell when they start and end, and end when told. */
  function steps() {
    const log: string[] = [];
    const open = new Map<string, () => void>();
    const started = new Map<string, () => void>();
    const step = (name: string) =>
      new Promise<void>((resolve) => {
        log.push(`${name} starts`);
        open.set(name, () => {
          log.push(`${name} ends`);
          resolve();
        });
        started.get(name)?.();
      });
    const start = (name: string) =>
      log.includes(`${name} starts`) ? Promise.resolve() : new Promise<void>((resolve) => started.set(name, resolve));
    return { log, step, start, end: (name: string) => open.get(name)?.() };
  }

  test("readers run side by side and the results stand in call order", async () => {
    const { step, start, end, log } = steps();
    const slow = async (input: { paths: string[] }) => {
      await step(input.paths[0] ?? "");
      return [{ type: "json" as const, value: input.paths }];
    };
    const { hands } = await projectFixture({}, { overrides: { read_files: slow } });
    const running = hands.call(
      [call("read_files", { paths: ["a"] }, "1"), call("read_files", { paths: ["b"] }, "2")],
      {},
    );
    await Promise.all([start("a"), start("b")]);
    end("b");
    end("a");
    expect((await running).map((result) => result.toolCallId)).toEqual(["1", "2"]);
    expect(log).toEqual([expect.stringContaining("starts"), expect.stringContaining("starts"), "b ends", "a ends"]);
  });

  test("writers of one path wait for each other, also through a link, and writers of two paths do not", async () => {
    const { step, start, end, log } = steps();
    let count = 0;
    const slow = async (input: { path: string }) => {
      count += 1;
      await step(`${input.path}#${count}`);
      return [];
    };
    const { hands } = await projectFixture({ "a.txt": "" }, { overrides: { write_file: slow } });
    const write = (name: string, id: string) => call("write_file", { path: name, instructions: "", content: "" }, id);
    const running = hands.call([write("a.txt", "1"), write("./a.txt", "2"), write("b.txt", "3")]);
    await Promise.all([start("a.txt#1"), start("b.txt#2")]);
    expect(log).toHaveLength(2);
    end("a.txt#1");
    await start("./a.txt#3");
    end("./a.txt#3");
    end("b.txt#2");
    await running;
    expect(log.slice(2)).toEqual(["a.txt#1 ends", "./a.txt#3 starts", "./a.txt#3 ends", "b.txt#2 ends"]);
  });

  test("a read behind a write sees what was written, a write behind a read does not hurry", async () => {
    const { hands } = await projectFixture({ "a.txt": "old\n" });
    const results = await hands.call(
      [
        call("read_files", { paths: ["a.txt"] }, "1"),
        call("write_file", { path: "a.txt", instructions: "", content: "new\n" }, "2"),
        call("read_files", { paths: ["a.txt"] }, "3"),
        call("code_search", { pattern: "new" }, "4"),
      ],
      {},
    );
    expect(results[0]?.output).toMatchObject([{ value: [{ content: "old\n" }] }]);
    expect(results[2]?.output).toMatchObject([{ value: [{ content: "new\n" }] }]);
    expect(results[3]?.output).toMatchObject([{ value: { stdout: "./a.txt:\n1:new" } }]);
  });

  test("a hundred edits of one file from many steps at once all arrive", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `<${index}>`);
    const { root, hands } = await projectFixture({ "a.txt": lines.join("\n") });
    await Promise.all(
      lines.map((line, index) =>
        hands.call([call("str_replace", { path: "a.txt", replacements: [{ old: line, new: `[${index}]` }] })]),
      ),
    );
    expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe(lines.map((_, index) => `[${index}]`).join("\n"));
  });
});

test("two calls with the same id both get their result, and so do fifty at once", async () => {
  const { hands } = await projectFixture({ "a.txt": "a\n" });
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const calls = Array.from({ length: 50 }, () => call("read_files", { paths: ["a.txt"] }, "same"));
  const { signal } = new AbortController();
  const results = await hands.call(calls, { signal });
  expect(results).toHaveLength(50);
  expect(results.every((result) => result.toolCallId === "same" && outputError(result.output) === undefined)).toBe(
    true,
  );
  expect(warnings).toEqual([]);
});

test("what a tool says after its result is not heard", async () => {
  let late = (_output: string): void => undefined;
  const talks: CustomTool = {
    execute: async (_input, { progress }) => {
      late = progress;
      return [];
    },
  };
  const { hands } = await projectFixture({}, { customTools: { talks } });
  const heard: string[] = [];
  await hands.call([call("talks")], { onProgress: (_call, output) => heard.push(output) });
  late("too late");
  expect(heard).toEqual([]);
});

test("progress is passed on while the tool works and not after the abort", async () => {
  const abort = new AbortController();
  const talks: CustomTool = {
    execute: async (_input, { progress }) => {
      progress("one");
      abort.abort();
      progress("two");
      return [];
    },
  };
  const { hands } = await projectFixture({}, { customTools: { talks } });
  const heard: string[] = [];
  await hands.call([call("talks")], {
    signal: abort.signal,
    onProgress: (_call, output) => heard.push(output),
  });
  expect(heard).toEqual(["one"]);
});

test("every client tool of the table has a handler, those of the terminal when there is a terminal", async () => {
  const { hands } = await projectFixture();
  const missing: string[] = [];
  for (const name of toolNames.filter((one) => toolTable[one].clientSide)) {
    const [result] = await hands.call([call(name, exampleInputs[name] ?? {})]);
    if (outputError(result?.output ?? [])?.includes("not available")) missing.push(name);
  }
  expect(missing.sort()).toEqual(["kill_terminal", "read_screen", "run_file_change_hooks", "run_terminal_command"]);
});

const exampleInputs: Record<string, Record<string, unknown>> = {
  run_terminal_command: { command: "true" },
  run_file_change_hooks: { files: [] },
  sleep: { seconds: 0 },
};

test("a question nobody can answer is skipped", async () => {
  const { value } = await projectFixture();
  const questions = [{ question: "Which?", options: [{ label: "a" }, { label: "b" }] }];
  expect(await value("ask_user", { questions })).toEqual({ skipped: true });
});

test("a sleep ends with the abort", async () => {
  const { hands } = await projectFixture();
  const abort = new AbortController();
  const running = hands.call([call("sleep", { seconds: 600 })], { signal: abort.signal });
  abort.abort();
  expect(await running).toHaveLength(1);
});
