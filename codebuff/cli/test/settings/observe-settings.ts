import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { Steering } from "@muster/codebuff-sdk";
import { type ScriptInput, startScriptedLlm } from "@muster/scripted-llm";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { Io } from "../../src/io.ts";
import { Conversation } from "../../src/run/conversation.ts";
import { manners } from "../../src/run/manners.ts";
import { Stopper } from "../../src/run/stopper.ts";
import { readRunOptions } from "../../src/run-options.ts";
import { applySettings } from "../../src/settings/apply-settings.ts";
import { resolveSettings } from "../../src/settings/resolve-settings.ts";

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];

/** What the files say before a run. `LLM`, `A` and `B` in texts are addresses of services on this machine. */
export interface Setup {
  readonly user?: Record<string, unknown>;
  readonly project?: Record<string, unknown>;
  readonly permissions?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly turns?: Turns;
}

const call = (name: string, input: Record<string, unknown>) => ({ name, input, native: true });
export const write = call("write_file", { path: "src/a.ts", instructions: "x", content: "a\n" });
export const make = call("run_terminal_command", { command: "make build" });
export const read = call("read_files", { paths: ["vendor/x.js"] });

/** One run under these settings: everything that was asked of the model, of the person and of other services, and what came of it. */
export async function observe(setup: Setup): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "codebuff-settings-"));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const turns = setup.turns ?? [{ tools: [make] }, { tools: [write] }, { tools: [read] }, { text: "Done." }];
  const llm = await startScriptedLlm({ script: { conversations: [{ turns }] } });
  const [one, other] = [await countingService(), await countingService()];
  const place = (text: string) =>
    text.replaceAll("LLM", llm.url).replaceAll("http://A", one.url).replaceAll("http://B", other.url);
  const [home, project] = [join(root, "home"), join(root, "project")];
  const files = {
    "project/Makefile": "build:\n\t@echo built\n",
    "project/vendor/x.js": "x\n",
    "project/src/b.ts": "b\n",
    ...(setup.user && { "home/.codebuff/config.json": place(JSON.stringify(setup.user)) }),
    ...(setup.project && { "project/codebuff.json": place(JSON.stringify(setup.project)) }),
    ...(setup.permissions && { "project/.codebuff/permissions.json": JSON.stringify(setup.permissions) }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await mkdir(home, { recursive: true });
  const io = ioIn({
    home,
    project,
    env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: llm.url, ...setup.env },
  });
  const seen = await run(io, project);
  await llm.close();
  const requests = llm.requests().map(({ path, body }) => {
    const { model, thinking, messages } = body as Record<string, unknown>;
    const helpers = JSON.stringify(body).split("file-picker").length;
    return { path, model, thinking, helpers, results: resultsIn(messages) };
  });
  const left = (await readdir(project, { recursive: true })).sort();
  const text = JSON.stringify({ ...seen, requests, hits: [one.hits, other.hits], left });
  const servers = { LLM: llm.url, A: one.url, B: other.url };
  const withoutPorts = Object.entries(servers).reduce(
    (shown, [name, url]) => shown.replaceAll(url, name).replaceAll(new URL(url).host, name),
    text.replaceAll(root, ""),
  );
  return withoutPorts.replaceAll(
    /\b[0-9a-f]{16}\b|toolu_\w+|call_\w+|\d+ ms|\\?"durationMs\\?":\d+|"seconds":[\d.]+/g,
    "",
  );
}

/** What tools told the model. */
function resultsIn(messages: unknown): unknown[] {
  const Results = z.array(
    z.looseObject({ content: z.array(z.looseObject({ type: z.string(), content: z.unknown() })).catch([]) }),
  );
  const parts = (Results.safeParse(messages).data ?? []).flatMap(({ content }) => content);
  return parts.filter(({ type }) => type === "tool_result").map(({ content }) => content);
}

function ioIn({ home, project, env }: { home: string; project: string; env: Record<string, string> }): Io {
  return {
    args: [],
    env: { PATH: process.env.PATH, ...env },
    home,
    cwd: project,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interrupted: new AbortController().signal,
  };
}

async function run(io: Io, project: string): Promise<object> {
  const flags = { streamJson: true, trust: true } as const;
  const resolved = await resolveSettings(flags, io, project);
  const options = applySettings(readRunOptions(flags, ["go"], io), resolved);
  const asked: string[] = [];
  const told: unknown[] = [];
  try {
    const { conversation, planned } = await Conversation.open({
      options,
      io,
      manner: manners.oneShot,
      ask: async ({ permission }) => {
        asked.push(`${permission?.title}: ${String(permission?.reason)}`);
        return { decision: "deny" };
      },
    });
    const turn = {
      prompt: "go",
      messageId: randomUUID(),
      settings: options,
      stopper: new Stopper(),
      steering: new Steering({}),
    };
    const events = conversation.run(turn);
    let next = await events.next();
    for (; !next.done; next = await events.next()) {
      const { value: event } = next;
      if (event.type === "tool_result") told.push(event.output);
      if (event.type === "error" || event.type === "start") told.push({ ...event, sessionId: "", messageId: "" });
    }
    await conversation.close();
    return { planned, asked, told, status: next.value.status, problems: resolved.problems };
  } catch (error) {
    return { refused: (error as Error).message, problems: resolved.problems };
  }
}

/** A service that knows nobody: who asks it is told so at once. */
export async function countingService(): Promise<{ url: string; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":"nobody"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits };
}
