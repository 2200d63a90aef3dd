import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateText, stepCountIs, streamText, type ToolSet, tool } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ScriptedLlm, startScriptedLlm } from "../src/server.ts";
import { clients } from "./clients.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

let workspace = "";
let server: ScriptedLlm | undefined;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "workspace-"));
  await writeFile(join(workspace, "greeting.txt"), "helo\n");
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(workspace, { recursive: true });
});

const run = (command: string) => execFileSync("bash", ["-c", command], { encoding: "utf8" });
const write = async (path: string, content: string) => {
  await writeFile(path, content);
  return "written";
};

/** Small agents with the tool names and arguments of the big ones; each really runs and writes. */
const agents: Record<string, { client: string; tools: ToolSet }> = {
  claude: {
    client: "anthropic messages",
    tools: {
      Bash: tool({
        inputSchema: z.strictObject({ command: z.string(), description: z.string() }),
        execute: ({ command }) => run(command),
      }),
      Read: tool({ inputSchema: z.strictObject({ file_path: z.string() }) }),
      Edit: tool({ inputSchema: z.strictObject({ file_path: z.string() }) }),
      Write: tool({
        inputSchema: z.strictObject({ file_path: z.string(), content: z.string() }),
        execute: ({ file_path, content }) => write(file_path, content),
      }),
    },
  },
  codex: {
    client: "openai responses",
    tools: {
      exec_command: tool({ inputSchema: z.strictObject({ cmd: z.string() }), execute: ({ cmd }) => run(cmd) }),
      apply_patch: tool({
        inputSchema: z.strictObject({ input: z.string() }),
        execute: ({ input }) => {
          const added = /^\*\*\* Begin Patch\n\*\*\* Add File: (.+)\n((?:\+.*\n)+)\*\*\* End Patch$/.exec(input);
          return write(added?.[1] ?? "", (added?.[2] ?? "").replaceAll(/^\+/gm, ""));
        },
      }),
    },
  },
  opencode: {
    client: "openai-compatible",
    tools: {
      bash: tool({ inputSchema: z.strictObject({ command: z.string() }), execute: ({ command }) => run(command) }),
      read: tool({ inputSchema: z.strictObject({ filePath: z.string() }) }),
      edit: tool({ inputSchema: z.strictObject({ filePath: z.string() }) }),
      write: tool({
        inputSchema: z.strictObject({ filePath: z.string(), content: z.string() }),
        execute: ({ filePath, content }) => write(filePath, content),
      }),
    },
  },
  codebuff: {
    client: "openai chat completions",
    tools: {
      run_terminal_command: tool({
        inputSchema: z.strictObject({ command: z.string(), process_type: z.string(), timeout_seconds: z.number() }),
        execute: ({ command }) => run(command),
      }),
      write_file: tool({
        inputSchema: z.strictObject({ path: z.string(), instructions: z.string(), content: z.string() }),
        execute: ({ path, content }) => write(path, content),
      }),
    },
  },
};

describe("The example fix-a-file.yaml", () => {
  test.each(Object.keys(agents))("drives an agent with the tools of %s to a changed file", async (name) => {
    const { client, tools } = agents[name] as (typeof agents)[string];
    server = await startScriptedLlm({ script: example("fix-a-file.yaml"), variables: { workspace } });
    const model = (clients[client] as (typeof clients)[string])(server.url);
    const title = await generateText({ model, system: "Generate a title", prompt: "Please fix the greeting" });
    const result = streamText({
      model,
      prompt: "Please fix the greeting",
      tools,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
    });
    await result.consumeStream();
    expect(title.text).toBe("Fix a file");
    expect(await result.text).toBe("The greeting is fixed.");
    expect(await readFile(join(workspace, "fixed.txt"), "utf8")).toBe("hello\n");
    expect(await result.totalUsage).toMatchObject({ inputTokens: 3_900, outputTokens: 78 });
    expect(server.failures()).toEqual([]);
  });
});

describe("The example faults.yaml", () => {
  test("is survived by a client that tries again, in one session", async () => {
    server = await startScriptedLlm({ script: example("faults.yaml") });
    const model = (clients["anthropic messages"] as (typeof clients)[string])(server.url);
    const tools = { run_command: tool({ inputSchema: z.object({ command: z.string() }), execute: () => "ran" }) };
    const ask = async (prompt: string) => {
      return (await generateText({ model, prompt, tools, maxRetries: 3, stopWhen: stepCountIs(3) })).text;
    };
    const stream = async (prompt: string) => {
      const result = streamText({ model, prompt, maxRetries: 0, onError: () => {} });
      await result.consumeStream();
      return result.text;
    };
    expect(await ask("a rate limit please")).toBe("Third time lucky.");
    await expect(stream("a dropped stream please")).rejects.toThrow();
    expect(await stream("a dropped stream please")).toBe("Now it is whole.");
    expect(await stream("slow please")).toBe("One byte at a time.");
    await expect(ask("out of credit please")).rejects.toThrow("No credit left");
    const bad = streamText({ model, prompt: "bad arguments please", tools, maxRetries: 0, stopWhen: stepCountIs(3) });
    await bad.consumeStream();
    expect(await bad.text).toBe("I will not do that again.");
    expect(server.failures()).toEqual([]);
  });
});
