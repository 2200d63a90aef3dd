import { readFileSync } from "node:fs";
import {
  AgentDefinition,
  type AgentDefinitionInput,
  type Message,
  type PrintModeEvent,
  type RuntimeAction,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import { creditsOf, type FoundAgent } from "../src/index.ts";
import {
  agent,
  json,
  type LedgerLine,
  openWorld,
  type RunResult,
  runPrompt,
  session,
  type World,
} from "./memory-ports.ts";
import { helper, scenarios } from "./recorded-scenarios.ts";
import { type Act, finished } from "./scripted-model.ts";

interface Frame {
  readonly id: string;
  readonly choices: readonly { readonly delta: Delta; readonly finish_reason: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly cost: number };
}
interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly index: number; readonly function: { name?: string; arguments: string } }[];
}
interface Answer {
  readonly status: number;
  readonly frames?: readonly Frame[];
  readonly body?: { readonly error: string | { message: string }; readonly message?: string };
}
type LedgerBody = Readonly<Record<string, unknown>> & { readonly path: string };
interface Row {
  readonly event?: PrintModeEvent;
  readonly chunk?: string | { readonly type: string; readonly chunk: string; readonly agentId: string };
  readonly ledger?: LedgerBody;
  readonly ledgerRefused?: Answer;
  readonly answer?: Answer;
  readonly output?: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly messageHistory?: readonly Message[];
}

const readRows = (name: string): Row[] =>
  readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What the original did, one line per thing that happened, ids and times taken out. */
export function recordedLines(name: string): string[] {
  const rename = namer();
  return readRows(name).flatMap((row) => {
    if (row.event !== undefined) return [eventLine(row.event, rename)];
    if (row.chunk !== undefined) return chunkLines(row.chunk, rename);
    if (row.ledger !== undefined) return [recordedLedgerLine(row.ledger)];
    if (row.output !== undefined) return endLines(row.output, row.messageHistory ?? [], rename);
    return [];
  });
}

/** The same scenario in our runtime, fed with the recorded answers of model and tools. */
export async function ourLines(name: string): Promise<string[]> {
  const rows = readRows(name);
  const scenario = scenarios[name] ?? {};
  const world = openWorld({
    script: scriptOf(rows, name),
    agents: [
      agent({
        spawnableAgents: ["sub-agent"],
        toolNames: [...everyTool, ...(scenario.custom === undefined ? [] : ["my_tool"])],
        ...scenario.agent,
      }),
      helper("sub-agent"),
      ...(scenario.helpers ?? []).map((one) => (one.publisher === undefined ? one : ofStore(one))),
    ],
    tools: recordedTools(rows, scenario.custom),
    definitions: scenario.custom === undefined ? [] : [{ name: "my_tool", description: "mine", inputSchema: {} }],
    toolCosts: { web_search: { millicredits: 1_000, known: true } },
    startFails: startFailure(rows),
    tellsLedger: true,
  });
  const lines: string[] = [];
  const rename = namer();
  const abort = new AbortController();
  if (scenario.abortMs !== undefined) world.clock.after(scenario.abortMs, () => abort.abort());
  let chunks = 0;
  const onAction = (action: RuntimeAction) => {
    if (action.type === "response-chunk") {
      const { chunk } = action;
      if (typeof chunk === "string") lines.push(...chunkLines(chunk, rename));
      else if (chunk.type === "download") lines.push(...ledgerLines(world, Number(chunk.version)));
      else lines.push(eventLine(chunk, rename));
      if (typeof chunk === "string" && ++chunks === scenario.abortAfter) abort.abort();
    }
    if (action.type === "subagent-response-chunk")
      lines.push(...chunkLines({ ...action, type: "subagent_chunk" }, rename));
  };
  const prompt = {
    agent: scenario.agentId ?? "my-agent",
    limits: { maxSteps: scenario.maxSteps ?? 10 },
    sessionState: session([], { knowledgeFiles: { ...scenario.knowledgeFiles } }),
  };
  const result = await runPrompt(world, prompt, abort.signal, onAction);
  return [...lines, ...endLines(outputOf(result), result.history, rename)];
}

function ofStore(definition: AgentDefinitionInput): FoundAgent {
  return { definition: AgentDefinition.parse(definition), origin: "store" };
}

const everyTool = [
  ...["read_files", "write_file", "str_replace", "run_terminal_command", "code_search", "glob", "list_directory"],
  ...[
    "spawn_agents",
    "write_todos",
    "ask_user",
    "web_search",
    "set_output",
    "end_turn",
    "think_deeply",
    "read_subtree",
  ],
];

function outputOf({ last }: RunResult): Record<string, unknown> & { type: string } {
  return last.type === "prompt-response" ? last.output : { ...last, type: "error" };
}

/** Each answer as the SDK's model port would give it: attempts that were refused and repeated are one stream. */
function scriptOf(rows: readonly Row[], name: string): Act[][] {
  if (name === "abort")
    return [Array.from({ length: 40 }, (_, i): Act[] => [{ text: [`t${i} `] }, { wait: 50 }]).flat()];
  if (name === "defect-d5-abort-in-silent-stream")
    return [[{ text: ["part one "] }, { wait: 3_000 }, { text: ["part two"] }]];
  const answers = rows.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  answers.sort((one, other) => generation(one) - generation(other));
  const script: Act[][] = [];
  let attempts: Act[] = [];
  answers.forEach((answer, index) => {
    if (answer.status === 200) script.push([...attempts, ...actsOf(answer.frames ?? [])]);
    else if (index < answers.length - 1) attempts.push({ type: "retrying", untilMs: 0 });
    else script.push([...attempts, errorOf(answer)]);
    if (answer.status === 200) attempts = [];
  });
  return [...script, ...(name === "max-steps" ? [] : [[{ text: ["All", " done."] }]])];
}

function generation({ frames }: Answer): number {
  return Number(/\d+/.exec(frames?.[0]?.id ?? "gen-0")?.[0]);
}

function errorOf({ status, body }: Answer): Act {
  const error = typeof body?.error === "string" ? body.error : undefined;
  return { type: "error", statusCode: status, code: error, message: body?.message ?? String(status) };
}

function actsOf(frames: readonly Frame[]): Act[] {
  const acts: Act[] = [];
  const calls: { name: string; input: string }[] = [];
  for (const { id, choices, usage } of frames) {
    for (const { delta } of choices) {
      if (delta.content) acts.push({ type: "text-delta", text: delta.content });
      if (delta.reasoning_content) acts.push({ type: "reasoning-delta", text: delta.reasoning_content });
      for (const { index, function: piece } of delta.tool_calls ?? []) {
        const call = calls[index] ?? { name: "", input: "" };
        call.name ||= piece.name ?? "";
        call.input += piece.arguments;
        calls[index] = call;
      }
    }
    if (usage === undefined) continue;
    for (const { name, input } of calls) acts.push({ type: "tool-call", toolName: name, input });
    acts.push(finished({ reason: "stop", messageId: id, cost: usage.cost * 100_000 }));
  }
  return usageSeen(frames) ? acts : [...acts, { cut: true }];
}

function usageSeen(frames: readonly Frame[]): boolean {
  return frames.some(({ usage }) => usage !== undefined);
}

function startFailure(rows: readonly Row[]): Error | undefined {
  const refused = rows.find(
    ({ ledgerRefused, ledger }) => ledgerRefused !== undefined && ledger === undefined,
  )?.ledgerRefused;
  if (refused === undefined || rows.some(({ answer }) => answer !== undefined)) return undefined;
  return Object.assign(new Error(refused.body?.message ?? ""), {
    statusCode: refused.status,
    code: refused.body?.error,
  });
}

/** Tools that answer what the original's answered, in the same order. */
function recordedTools(rows: readonly Row[], custom: "answers" | "throws" | undefined) {
  const waiting = new Map<string, ToolOutput[]>();
  for (const { event } of rows) {
    if (event?.type !== "tool_result") continue;
    waiting.set(event.toolName, [...(waiting.get(event.toolName) ?? []), event.output]);
  }
  const answer = (name: string) => waiting.get(name)?.shift() ?? json({ message: "not recorded" });
  const tools = Object.fromEntries(everyTool.map((name) => [name, () => answer(name)]));
  return {
    ...tools,
    create_plan: () => json({ file: "PLAN.md", message: "Created new file", unifiedDiff: "+x" }),
    my_tool: () => {
      if (custom === "throws") throw new Error("kaboom");
      return json({ answer: 42 });
    },
    ...(rows.some(({ event }) => event?.type === "tool_call" && String(event.input.command).startsWith("sleep 6.17"))
      ? { run_terminal_command: () => new Promise<ToolOutput>(() => undefined) }
      : {}),
  };
}

function ledgerLines({ ledger }: World, at: number): string[] {
  return ledger.slice(at, at + 1).map(ourLedgerLine);
}

type Rename = (id: string) => string;

function namer(): Rename {
  const names = new Map<string, string>([["main-agent", "main-agent"]]);
  return (id) => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  };
}

/** Only the fields the original has too; more of them are allowed everywhere (E-8). Words of errors are our own. */
function eventLine(event: PrintModeEvent, rename: Rename): string {
  const { agentId } = event as { agentId?: string };
  const isNamed =
    agentId !== undefined && event.type !== "start" && event.type !== "finish" && event.type !== "tool_result";
  const who = isNamed ? ` ${rename(agentId)}` : "";
  switch (event.type) {
    case "start":
      return `start ${event.messageHistoryLength}`;
    case "text":
      return `text${who} ${JSON.stringify(event.text)}`;
    case "reasoning_delta":
      return `reasoning ${event.runId} ${JSON.stringify(event.text)}`;
    case "tool_call":
      return `call${who} ${rename(event.toolCallId)} ${event.toolName} ${JSON.stringify(event.input)} ${event.includeToolCall}`;
    case "tool_result":
      return `result ${rename(event.toolCallId)} ${event.toolName} ${plain(event.output)}`;
    case "subagent_start":
    case "subagent_finish":
      return `${event.type}${who} ${event.agentType} ${event.onlyChild} ${event.parentAgentId} ${event.prompt}`;
    case "error":
      return sharedErrors.has(event.code ?? "") ? "error" : `error ${event.code}`;
    case "finish":
      return `finish ${event.agentId} ${event.totalCost}`;
    case "tool_progress":
    case "download":
      return event.type;
  }
}

/** Errors the original tells too, without a code. */
const sharedErrors = new Set(["", "bad_arguments", "unknown_tool", "agent_refused"]);

function chunkLines(chunk: NonNullable<Row["chunk"]>, rename: Rename): string[] {
  if (typeof chunk === "string") return [`chunk ${JSON.stringify(chunk)}`];
  if (chunk.type === "reasoning_chunk") return [`reasoning ${chunk.agentId} ${JSON.stringify(chunk.chunk)}`];
  return [`chunk ${rename(chunk.agentId)} ${JSON.stringify(chunk.chunk)}`];
}

function recordedLedgerLine(body: LedgerBody): string {
  const { action, path } = body;
  if (action === "START") return `START ${body.agentId} ${JSON.stringify(body.ancestorRunIds)}`;
  // The original counts one step too many.
  if (action === "FINISH") {
    return `FINISH ${body.runId} ${body.status} ${Number(body.totalSteps) - 1} ${body.directCredits} ${body.totalCredits}`;
  }
  const runId = path.split("/").at(-2);
  return `STEP ${runId} ${body.stepNumber} ${body.credits} ${JSON.stringify(body.childRunIds)} ${body.messageId} ${body.status}`;
}

function ourLedgerLine(line: LedgerLine): string {
  switch (line.action) {
    case "START":
      return `START ${line.agentId} ${JSON.stringify(line.ancestorRunIds)}`;
    case "STEP":
      return `STEP ${line.runId} ${line.stepNumber} ${creditsOf(line.cost)} ${JSON.stringify(line.childRunIds)} ${line.messageId} ${line.status}`;
    case "FINISH":
      return `FINISH ${line.runId} ${line.status} ${line.totalSteps} ${creditsOf(line.direct)} ${creditsOf(line.total)}`;
  }
}

function endLines(output: NonNullable<Row["output"]>, history: readonly Message[], rename: Rename): string[] {
  const shown = output.type === "error" ? `error ${output.statusCode ?? ""}`.trim() : plain(output);
  return [`output ${shown}`, ...history.map((message) => messageLine(message, rename))];
}

/** Notes and instructions are in words of our own: only where they stand is compared. */
function messageLine(message: Message, rename: Rename): string {
  const tags = message.tags?.join() ?? "";
  const text = plain(message.content).replace(/<system>.*<\/system>/, "<system>…");
  const isInstructions = message.tags?.includes("INSTRUCTIONS_PROMPT");
  const id = message.role === "tool" ? ` ${rename(message.toolCallId)}` : "";
  return `${message.role}${id} ${tags} ${isInstructions ? "…" : text}`;
}

/** JSON with sorted keys and without times and ids. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (key === "sentAt" || key === "toolCallId") return undefined;
    if (key === "text" && typeof inner === "string" && inner.startsWith("sub ")) return "…";
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
