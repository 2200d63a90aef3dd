import { createInterface } from "node:readline/promises";
import type { Question, QuestionAnswers } from "@muster/codebuff-protocol";
import type { Ask, AskPerson } from "@muster/codebuff-sdk";
import type { Io } from "../io.ts";
import { scopesFor } from "../permissions/rule-scopes.ts";
import { oneLine, printable } from "./printable.ts";

/** Asks the person at the terminal, one question after the other; two runs never ask at the same time. */
export function askOnTerminal(io: Pick<Io, "stdin" | "stderr">): AskPerson {
  let last: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const next = last.then(() => askNow(ask, io));
    last = next.catch(() => undefined);
    return next;
  };
}

async function askNow(ask: Ask, { stdin, stderr }: Pick<Io, "stdin" | "stderr">): Promise<unknown> {
  const terminal = createInterface({ input: stdin, output: stderr });
  const read = (question: string) => terminal.question(question, { signal: ask.signal });
  try {
    if (ask.permission !== undefined) return await askPermission(ask.permission, read, stderr);
    if (ask.plan !== undefined) return await askPlan(read);
    return await askQuestions(ask.input.questions, read, stderr);
  } catch {
    // Ctrl-D, or nobody waits for the answer any more.
    return ask.permission === undefined ? { skipped: true } : { decision: "deny", message: "Not answered" };
  } finally {
    terminal.close();
  }
}

const longerAnswers = { project: ", always in this [p]roject", everywhere: ", always [e]verywhere" } as const;

type Read = (question: string) => Promise<string>;
type Out = Pick<Io["stderr"], "write">;

async function askPermission(permission: NonNullable<Ask["permission"]>, read: Read, out: Out): Promise<object> {
  out.write(`\n? ${oneLine(permission.title, 400)}\n`);
  if (permission.diff !== undefined) out.write(`${printable(permission.diff).trimEnd()}\n`);
  else if (permission.command !== undefined) out.write(`  ${printable(permission.command)}\n`);
  if (typeof permission.reason === "string") out.write(`  why: ${printable(permission.reason)}\n`);
  const scopes = scopesFor(permission.rules);
  const longer = scopes.map((scope) => longerAnswers[scope]).join("");
  const answer = (await read(`  allow? [y]es, [a]lways in this session${longer}, [N]o, or say why not: `)).trim();
  if (/^y(es)?$/i.test(answer)) return { decision: "once" };
  if (/^a(lways)?$/i.test(answer)) return { decision: "always" };
  const scope = scopes.find((one) => answer.toLowerCase() === one || answer.toLowerCase() === one[0]);
  if (scope !== undefined) return { decision: "always", scope };
  return /^n?o?$/i.test(answer) ? { decision: "deny" } : { decision: "deny", message: answer };
}

async function askPlan(read: Read): Promise<object> {
  const answer = (await read("\n? carry out this plan? [y]es, [N]o, or say what to change: ")).trim();
  if (/^y(es)?$/i.test(answer)) return { decision: "approve" };
  return /^n?o?$/i.test(answer) ? { skipped: true } : { decision: "reject", message: answer };
}

async function askQuestions(questions: readonly Question[], read: Read, out: Out): Promise<QuestionAnswers> {
  const answers: Extract<QuestionAnswers, { answers: unknown }>["answers"] = [];
  for (const [questionIndex, { question, options, multiSelect }] of questions.entries()) {
    out.write(`\n? ${printable(question)}\n`);
    for (const [at, { label, description }] of options.entries()) {
      out.write(`  ${at + 1}. ${oneLine(label, 200)}${description ? ` (${oneLine(description, 200)})` : ""}\n`);
    }
    const hint = multiSelect ? "numbers, or an answer of your own" : "a number, or an answer of your own";
    const answer = (await read(`  ${hint} (Enter skips): `)).trim();
    if (answer === "") continue;
    const chosen = readChoice(answer, options, multiSelect);
    if (chosen === undefined) answers.push({ questionIndex, otherText: answer });
    else if (multiSelect) answers.push({ questionIndex, selectedOptions: chosen });
    else answers.push({ questionIndex, selectedOption: chosen[0] });
  }
  return answers.length === 0 ? { skipped: true } : { answers };
}

/** Labels for numbers; undefined when it is a text of the person's own. */
function readChoice(answer: string, options: readonly { label: string }[], several: boolean): string[] | undefined {
  const numbers = answer.split(/[\s,]+/).filter((word) => word !== "");
  if (!several && numbers.length !== 1) return undefined;
  const labels = numbers.map((number) => (/^\d+$/.test(number) ? options[Number(number) - 1]?.label : undefined));
  return labels.every((label) => label !== undefined) ? labels : undefined;
}
