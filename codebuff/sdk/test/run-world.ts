import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PrintModeEvent, RunState } from "@muster/codebuff-protocol";
import { type ScriptedLlm, type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished } from "vitest";
import type { AgentDefinition, CodebuffClientOptions, RunOptions, StreamChunk } from "../src/index.ts";
import { CodebuffClient } from "../src/index.ts";
import { freshFolder } from "./fresh-folder.ts";

const tester: AgentDefinition = {
  id: "tester",
  displayName: "Tester",
  model: "anthropic/claude-haiku-4.5",
  systemPrompt: "You test.",
  toolNames: [
    "read_files",
    "write_file",
    "str_replace",
    "apply_patch",
    "run_terminal_command",
    "code_search",
    "glob",
    "list_directory",
    "create_plan",
    "ask_user",
    "end_turn",
  ],
};

export interface RunWorld {
  readonly cwd: string;
  readonly home: string;
  readonly llm: ScriptedLlm;
  readonly client: CodebuffClient;
  readonly events: PrintModeEvent[];
  readonly chunks: StreamChunk[];
  run(options?: RunOptions & CodebuffClientOptions): Promise<RunState>;
}

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];

/** A project, a home of its own, a scripted model, and a client whose only key is one for that model. */
export async function runWorld(
  turns: Turns,
  {
    files = {},
    options = {},
    env = {},
  }: { files?: Record<string, string>; options?: CodebuffClientOptions; env?: NodeJS.ProcessEnv } = {},
): Promise<RunWorld> {
  const [cwd, home] = [join(await freshFolder("project"), "proj"), await freshFolder("home")];
  await mkdir(cwd);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  const events: PrintModeEvent[] = [];
  const chunks: StreamChunk[] = [];
  const client = new CodebuffClient({
    cwd,
    home,
    processEnv: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-fake-key", ANTHROPIC_BASE_URL: llm.url, ...env },
    agentDefinitions: [tester],
    handleEvent: (event) => void events.push(event),
    handleStreamChunk: (chunk) => void chunks.push(chunk),
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    await llm.close();
  });
  return {
    cwd,
    home,
    llm,
    client,
    events,
    chunks,
    run: (given = {}) => client.run({ agent: "tester", prompt: "go", ...given }),
  };
}

/** The value of the result of a tool, by the order of its calls. */
export function resultOf(events: readonly PrintModeEvent[], toolName: string, nth = 0): unknown {
  const results = events.filter((event) => event.type === "tool_result" && event.toolName === toolName);
  const result = results[nth];
  const [part] = result?.type === "tool_result" ? result.output : [];
  return part?.type === "json" ? part.value : undefined;
}

export const call = (name: string, input: Record<string, unknown>) => ({ name, input, native: true });
