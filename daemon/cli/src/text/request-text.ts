import type { Paint } from "@muster/core";
import type { PermissionRequested, Question, QuestionRequested } from "@muster/schema";
import { diffLines } from "./diff-lines.ts";
import { printable } from "./printable.ts";

/** A permission as a person is asked for it. */
export function permissionText({ title, detail = {}, alwaysScope }: PermissionRequested, paint: Paint): string {
  const { command, diff, reason } = detail;
  const lines = [paint.yellow(paint.bold(`? ${indent(title)}`))];
  if (command !== undefined && !title.includes(command)) lines.push(`  $ ${indent(command)}`);
  if (reason !== undefined && !title.includes(reason)) lines.push(`  ${indent(reason)}`);
  const scope = alwaysScope.map((rule) => `${rule.action} ${rule.pattern}`).join("; ");
  const always = scope === "" ? "" : paint.dim(`  always would allow: ${indent(scope)}\n`);
  return `${lines.join("\n")}\n${diff === undefined ? "" : diffLines(diff, paint)}${always}`;
}

/** The questions of one request with their options numbered; the plan of a plan approval above them. */
export function questionText({ questions }: QuestionRequested, paint: Paint): string {
  return questions.map((question) => oneQuestion(question, paint)).join("");
}

/** One of them: the heading, what there is to decide on, and what may be chosen. */
export function oneQuestion({ header, question, body, options, multiSelect }: Question, paint: Paint): string {
  const heading = paint.yellow(paint.bold(`? ${header ? `${printable(header)}: ` : ""}${printable(question)}`));
  const material = body === undefined ? "" : `  ${indent(body)}\n`;
  const choices = options.map(({ label, description }, at) => {
    const about = description ? paint.dim(` – ${indent(description)}`) : "";
    return `  ${at + 1}. ${printable(label)}${about}\n`;
  });
  return `${heading}${multiSelect ? paint.dim(" (several)") : ""}\n${material}${choices.join("")}`;
}

/** The command that answers from another terminal. */
export function permissionCommand(sessionId: string, { permissionId }: PermissionRequested): string {
  return `sandbox-daemon sessions reply-permission ${sessionId} ${permissionId} once   (or always, reject)`;
}

export function questionCommand(sessionId: string, { questionId, questions }: QuestionRequested): string {
  const answers = questions.map(({ options }) => `--answers '["${sample(options.at(0)?.label ?? "…")}"]'`).join(" ");
  return `sandbox-daemon sessions reply-question ${sessionId} ${questionId} ${answers}`;
}

/** A label as it can stand in JSON inside a quoted word of a shell. */
function sample(label: string): string {
  return printable(JSON.stringify(label).slice(1, -1)).replaceAll("'", `'\\''`);
}

function indent(text: string): string {
  return printable(text).trimEnd().replaceAll("\n", "\n  ");
}
