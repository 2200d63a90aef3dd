import type { Operation } from "@muster/schema";
import { type Field, positionalsOf, trailingFieldOf } from "./operation-fields.ts";

/** Lines for `--help` that work as they stand once the ids exist. */
export function examplesOf(operation: Operation, fields: readonly Field[]): string[] {
  const trailing = trailingFieldOf(fields);
  const start = ["sandbox-daemon", ...operation.cli, ...positionalsOf(operation).map(sampleOf)];
  const required = fields.filter((field) => field.required && field !== trailing);
  const needed = required.flatMap((field) => [`--${field.flag}`, sampleOf(field.name)]);
  const last = trailing === undefined ? [] : [trailing.choices?.[0] ?? sampleOf(trailing.name)];
  const plain = [...start, ...last, ...needed].join(" ");
  const optional = fields.find((field) => !field.required && field.name in samples);
  if (optional === undefined) return [plain];
  const value = optional.kind === "boolean" ? "" : ` ${reasons[optional.name] ?? sampleOf(optional.name)}`;
  const more = `${plain} --${optional.flag}${value}`;
  return operation.method === "PATCH" ? [more] : [plain, more];
}

function sampleOf(name: string): string {
  return samples[name] ?? name;
}

/** What is said where nothing must be said. */
const reasons: Readonly<Record<string, string>> = { message: "'Use the other file'" };

/** Field → a value to show, quoted for a shell. */
const samples: Readonly<Record<string, string>> = {
  agent: "claude",
  sessionId: "s1",
  messageId: "m1",
  processId: "p1",
  command: "ls",
  columns: "100",
  rows: "30",
  signal: "SIGINT",
  questionId: "question_1",
  permissionId: "permission_1",
  message: "'Say hello'",
  answers: `'["Yes"]'`,
  to: "2",
  sourceId: "s1",
  offset: "17",
  limit: "10",
  sessions: "s1,s2",
  model: "sonnet",
  queue: "cancel",
  reinstall: "",
  id: "s1",
  messages: `'{"role":"user","parts":[{"type":"text","text":"Say hello"}]}'`,
  reply: "always",
};
