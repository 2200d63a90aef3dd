import { outputError } from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";
import type { Happening } from "./happenings.ts";
import { shorten } from "./shorten.ts";
import { readSummaryText } from "./summary-text.ts";

/** A conversation without its words: what must not be forgotten each in a list of its own. No model makes it. */
export interface Summary {
  /** What the user said, oldest first. */
  readonly users: string[];
  /** Path → the last diff made to it, in the order of the last change. */
  readonly edits: Map<string, string>;
  /** Files that were looked at. */
  readonly files: Set<string>;
  /** What was decided or answered. */
  readonly decisions: string[];
  /** What the assistant said and did, and what went wrong. */
  readonly work: string[];
}

const longest = { user: 15_000, assistant: 4_000, diff: 2_000, error: 100, call: 160, decision: 400, child: 1_000 };
/** Their results are found again by asking them again. */
const lookupAgents = /^(?:file-picker|researcher|file-explorer|commander)/;

/** Takes over what an earlier summary held, then adds what came after it. */
export function summarise(happenings: Iterable<Happening>): Summary {
  const summary: Summary = { users: [], edits: new Map(), files: new Set(), decisions: [], work: [] };
  for (const happening of happenings) add(summary, happening);
  return summary;
}

function add(summary: Summary, happening: Happening): void {
  switch (happening.type) {
    case "summary":
      return addEarlier(summary, readSummaryText(happening.text));
    case "user":
      summary.users.push(shorten(happening.text.trim(), longest.user));
      return;
    case "note":
      summary.work.push(`note: ${shorten(happening.text.trim(), longest.decision)}`);
      return;
    case "assistant":
      summary.work.push(shorten(happening.text, longest.assistant));
      for (const sentence of decisionsIn(happening.text)) addDecision(summary, sentence);
      return;
    case "call":
      return addCall(summary, happening.name, happening.input);
    case "result":
      return addResult(summary, happening);
  }
}

function addEarlier(summary: Summary, earlier: Summary): void {
  summary.users.push(...earlier.users);
  for (const [path, diff] of earlier.edits) setLast(summary.edits, path, diff);
  for (const path of earlier.files) summary.files.add(path);
  for (const decision of earlier.decisions) addDecision(summary, decision);
  summary.work.push(...earlier.work);
}

function addCall(summary: Summary, name: string, input: Readonly<Record<string, unknown>>): void {
  for (const path of pathsOf(input)) summary.files.add(path);
  if (name === "think_deeply" || name === "write_todos" || name.endsWith("_subgoal")) return;
  const { content: _, replacements: __, operation: ___, ...telling } = input;
  const told = [...pathsOf(input), ...Object.entries(telling).flatMap(tell)];
  summary.work.push(shorten(`${name}: ${[...new Set(told)].join(" ")}`, longest.call));
}

function tell([key, value]: [string, unknown]): string[] {
  if (key === "path" || key === "paths" || key === "timeout_seconds" || key === "process_type") return [];
  if (typeof value === "string") return [value];
  return value === undefined ? [] : [JSON.stringify(value)];
}

function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
  const { path, paths, operation } = input;
  const named = [path, ...(Array.isArray(paths) ? paths : []), isRecord(operation) ? operation.path : undefined];
  return named.filter((one): one is string => typeof one === "string" && one.length < 500);
}

function addResult(summary: Summary, { name, output }: Extract<Happening, { type: "result" }>): void {
  const error = outputError(output);
  if (error !== undefined) summary.work.push(`${name} failed: ${shorten(error, longest.error)}`);
  for (const part of output) {
    if (part.type !== "json") continue;
    const { value } = part;
    if (name === "ask_user") addDecision(summary, `the user answered: ${JSON.stringify(value)}`);
    if (name === "spawn_agents" && Array.isArray(value)) for (const one of value) addChild(summary, one);
    if (!isRecord(value)) continue;
    if (typeof value.exitCode === "number" && value.exitCode !== 0) summary.work.push(`exit code ${value.exitCode}`);
    for (const edit of [value, ...(Array.isArray(value.applied) ? value.applied : [])]) addEdit(summary, edit);
  }
}

function addEdit(summary: Summary, value: unknown): void {
  if (!isRecord(value) || typeof value.file !== "string" || typeof value.unifiedDiff !== "string") return;
  setLast(summary.edits, value.file, shorten(value.unifiedDiff, longest.diff));
}

function addChild(summary: Summary, value: unknown): void {
  if (!isRecord(value) || typeof value.agentType !== "string" || lookupAgents.test(value.agentType)) return;
  const told = typeof value.value === "string" ? value.value : JSON.stringify(value.value);
  summary.work.push(`${value.agentType} answered: ${shorten(told ?? "", longest.child)}`);
}

function addDecision(summary: Summary, text: string): void {
  const decision = shorten(text.trim(), longest.decision);
  if (!summary.decisions.includes(decision)) summary.decisions.push(decision);
}

/** Words by which people and models say that something is settled. */
const settled =
  /\b(?:decid\w*|decisions?|chose\w*|choose|agreed|settled|instead of|rather than|must(?: not)?|never|always|remember)\b/i;

function decisionsIn(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => settled.test(sentence));
}

function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
