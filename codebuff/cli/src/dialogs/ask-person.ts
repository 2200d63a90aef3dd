import type { Question, QuestionAnswers } from "@muster/codebuff-protocol";
import type { Ask, AskPerson, DecideTrust } from "@muster/codebuff-sdk";
import { z } from "zod";
import { diffLines } from "../blocks/diff-lines.ts";
import { markdownLines } from "../blocks/markdown.ts";
import { oneLine, printable } from "../text/printable.ts";
import type { Choice } from "./choice-dialog.ts";
import type { DialogStack } from "./dialog-stack.ts";

export interface Asking {
  readonly dialogs: DialogStack;
  /** The name of an agent that is not the root, for its questions. */
  readonly nameOf: (agentId: string) => string | undefined;
  /** Opens a text in the person's editor; undefined when that does not work. */
  readonly edit: (text: string) => Promise<string | undefined>;
  /** From now on the work may begin. */
  readonly planApproved: () => void;
  /** The person's attention is wanted. */
  readonly notify: (title: string) => void;
}

/** Questions, permissions and plans as entries of the one dialog stack. */
export function askPersonWith(asking: Asking): AskPerson {
  return async (ask) => {
    const name = asking.nameOf(ask.agentId);
    const from = name === undefined ? "" : `${name}: `;
    asking.notify(`${from}${ask.permission?.title ?? ask.input.questions[0]?.question ?? "A question"}`);
    if (ask.permission !== undefined) return askPermission(ask, ask.permission, from, asking);
    if (ask.plan !== undefined) return askPlan(ask, ask.plan.text, from, asking);
    return askQuestions(ask, from, asking);
  };
}

const Parts = z.array(z.looseObject({ key: z.string(), text: z.string() }));

async function askPermission(
  { signal }: Ask,
  permission: NonNullable<Ask["permission"]>,
  from: string,
  { dialogs }: Asking,
): Promise<object> {
  const parts = Parts.safeParse(permission.parts).data ?? [];
  const keys = parts.map(({ key }) => key);
  const remembered = keys.length > 0 ? keys.join(", ") : oneLine(permission.title, 60);
  const reason = typeof permission.reason === "string" ? permission.reason : undefined;
  const chosen = await dialogs.choose<"once" | "always" | "deny">(
    {
      spoken: "Permission",
      title: `${from}${permission.title}`,
      details: (width, theme) => [
        ...(permission.diff !== undefined ? diffLines(permission.diff, { theme }) : commandLines(permission, width)),
        ...(reason === undefined ? [] : [theme.dim(oneLine(reason, 200))]),
      ],
      choices: [
        { label: "Allow once", value: "once" },
        { label: `Always allow in this session: ${remembered}`, value: "always" },
        { label: "Deny", value: "deny" },
        { label: "Deny, and say what to do instead", value: "deny", takesText: true },
      ],
      escape: "denies",
    },
    signal,
  );
  const [decision = "deny"] = chosen?.values ?? [];
  return chosen === undefined || chosen.text === "" ? { decision } : { decision, message: chosen.text };
}

/** Not twice where the title has said all of it. */
function commandLines({ command, title }: NonNullable<Ask["permission"]>, width: number): string[] {
  if (command === undefined || (title.endsWith(command) && title.length <= width)) return [];
  return printable(command).split("\n");
}

async function askPlan(ask: Ask, plan: string, from: string, asking: Asking): Promise<object> {
  const { dialogs, edit, planApproved } = asking;
  let text = plan;
  for (;;) {
    const shown = text;
    const chosen = await dialogs.choose<"approve" | "approve_edits" | "edit" | "reject">(
      {
        spoken: "Plan",
        title: `${from}Carry out this plan?`,
        // As it was written it stands right above.
        details: (width, theme) =>
          shown === plan ? [] : markdownLines(printable(shown), { width, theme, now: 0, unfolded: false }),
        choices: [
          { label: "Yes, and ask before each change", value: "approve" },
          { label: "Yes, and let edits pass", value: "approve_edits" },
          { label: "Edit the plan first", value: "edit" },
          { label: "No, change it like this", value: "reject", takesText: true },
        ],
        escape: "leaves it at that",
      },
      ask.signal,
    );
    if (chosen === undefined) return { skipped: true };
    const [decision = "reject"] = chosen.values;
    if (decision === "edit") {
      text = (await edit(text)) ?? text;
      continue;
    }
    if (decision === "reject") return { decision, message: chosen.text };
    planApproved();
    return text === plan ? { decision } : { decision, plan: text };
  }
}

const ownAnswer = Symbol("own answer");

async function askQuestions({ input, signal }: Ask, from: string, { dialogs }: Asking): Promise<QuestionAnswers> {
  const answers: Extract<QuestionAnswers, { answers: unknown }>["answers"] = [];
  const { questions } = input;
  for (const [questionIndex, question] of questions.entries()) {
    const place = questions.length === 1 ? "" : `${questionIndex + 1} of ${questions.length}: `;
    const chosen = await dialogs.choose<string | typeof ownAnswer>(
      {
        spoken: "Question",
        title: `${from}${place}${oneLine(question.question, 500)}`,
        choices: choicesOf(question),
        several: question.multiSelect,
        escape: "skips",
      },
      signal,
    );
    if (chosen === undefined) return answers.length === 0 ? { skipped: true } : { answers };
    const labels = chosen.values.filter((value) => typeof value === "string");
    const otherText = chosen.text === "" ? undefined : chosen.text;
    if (question.multiSelect && labels.length > 0) answers.push({ questionIndex, selectedOptions: labels, otherText });
    else if (otherText !== undefined) answers.push({ questionIndex, otherText });
    else answers.push({ questionIndex, selectedOption: labels[0] });
  }
  return { answers };
}

function choicesOf({ options }: Question): Choice<string | typeof ownAnswer>[] {
  return [
    ...options.map(({ label, description }) => ({ label, help: description, value: label })),
    { label: "Something else", value: ownAnswer, takesText: true },
  ];
}

/** Agents, MCP servers and commands of a project run only when the person has accepted their content once. */
export function decideTrustWith({ dialogs, notify }: Pick<Asking, "dialogs" | "notify">): DecideTrust {
  return async ({ kind, path, content }) => {
    notify(`Trust ${path}?`);
    const chosen = await dialogs.choose({
      title: `This project brings its own ${kind}: ${path}. Use it?`,
      details: (_, theme) => printable(content).split("\n").map(theme.dim),
      choices: [
        { label: "No, leave it out", value: false },
        { label: "Yes, I trust it as it is now", value: true },
      ],
      escape: "leaves it out",
    });
    return chosen?.values[0] === true;
  };
}
