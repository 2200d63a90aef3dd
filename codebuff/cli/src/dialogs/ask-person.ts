import type { Question, QuestionAnswers } from "@muster/codebuff-protocol";
import type { Ask, AskPerson } from "@muster/codebuff-sdk";
import { diffLines } from "../blocks/diff-lines.ts";
import { markdownLines } from "../blocks/markdown.ts";
import { oneLine, printable } from "../text/printable.ts";
import { sessionGrant } from "./always-grants.ts";
import type { Choice } from "./choice-dialog.ts";
import type { DialogStack } from "./dialog-stack.ts";
import { type PermissionChoice, permissionChoices } from "./permission-choices.ts";

export interface Asking {
  readonly dialogs: DialogStack;
  /** The name of an agent that is not the root, for its questions. */
  readonly nameOf: (agentId: string) => string | undefined;
  /** Where a call stands among all of the conversation. */
  readonly placeOf: (toolCallId: string) => number | undefined;
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

type Permission = NonNullable<Ask["permission"]>;

async function askPermission(
  { signal }: Ask,
  permission: Permission,
  from: string,
  { dialogs, placeOf }: Asking,
): Promise<object> {
  const grant = sessionGrant(permission);
  const title = `${from}${permission.title}`;
  const chosen = await dialogs.choose<PermissionChoice>(
    {
      spoken: "Permission",
      title,
      shortTitle: `${from}${shortTitles[permission.action] ?? shortTitles.other}`,
      details: (width, theme) =>
        permission.diff !== undefined ? diffLines(permission.diff, { theme }) : subjectLines(permission, title, width),
      facts: [
        ...(typeof permission.reason === "string" ? [{ name: "why", text: permission.reason }] : []),
        ...(grant === "" ? [] : [{ name: "always", text: grant }]),
      ],
      mustSeeEnd: isRisky(permission),
      choices: permissionChoices(grant, permission.rules),
      escape: "denies",
    },
    signal,
    placeOf(permission.toolCallId),
  );
  const [choice = { decision: "deny" }] = chosen?.values ?? [];
  return chosen === undefined || chosen.text === "" ? choice : { ...choice, message: chosen.text };
}

const shortTitles: Readonly<Record<string, string>> = {
  execute: "Run this command?",
  edit: "Make this edit?",
  read: "Read this?",
  fetch: "Fetch this address?",
  other: "Allow this?",
};

/** A command may hide its danger at its end; an edit only where more than the edit itself is the reason to ask. */
function isRisky({ action, reason }: Permission): boolean {
  return (
    action === "execute" || action === "fetch" || (typeof reason === "string" && reason !== "every edit is asked for")
  );
}

/** Not twice where the title has said all of it. */
function subjectLines({ command, url, title }: Permission, shown: string, width: number): string[] {
  const fits = !shown.includes("\n") && shown.length <= width;
  const subject = command ?? (typeof url === "string" ? url : undefined);
  if (fits && (subject === undefined || title.endsWith(subject))) return [];
  return printable(subject ?? title).split("\n");
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
