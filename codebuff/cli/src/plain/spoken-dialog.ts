import type { ChoiceDialog, ChoiceOptions } from "../dialogs/choice-dialog.ts";
import { oneLine } from "../text/printable.ts";
import type { Theme } from "../text/theme.ts";

const width = 300;

/** A question as lines to be read out: its choices have numbers. */
export function spokenQuestion(options: ChoiceOptions<unknown>, theme: Theme): string[] {
  const { spoken = "Choice", title, details, facts = [], choices, several } = options;
  const how = several === true ? "numbers" : "a number";
  const takesWords = choices.some(({ takesText }) => takesText === true);
  return [
    `${spoken}${/^\d+ of \d+: /.test(title) ? " " : ": "}${title}`,
    ...(details?.(width, theme) ?? []),
    ...facts.map(({ name, text }) => `${name}: ${text}`),
    ...choices.map(
      ({ label, help }, at) => `${at + 1}. ${oneLine(label, width)}${help ? ` (${oneLine(help, width)})` : ""}`,
    ),
    `Type ${how}${takesWords ? ", with your own words where a choice takes them" : ""}; an empty line ${options.escape}.`,
  ];
}

/**
 * Answers with a typed line: numbers of choices, words for the choice that takes some, both (`4 use the other file`), or
 * nothing, which refuses. False when it fits no choice.
 */
export function answerByLine({ options, settle }: ChoiceDialog<unknown>, line: string): boolean {
  const { choices, several = false } = options;
  const typed = line.trim();
  if (typed === "") {
    settle(undefined);
    return true;
  }
  const [, numbers = "", words = ""] = /^((?:\d+(?:[\s,]+|$))*)([\s\S]*)$/.exec(typed) ?? [];
  const named = numbers.split(/[\s,]+/).flatMap((number) => choices[Number(number) - 1] ?? []);
  if (words === "") {
    const isEnough = several ? named.length > 0 : named.length === 1;
    if (!isEnough || named.some(({ takesText }) => takesText === true)) return false;
    settle({ values: named.map(({ value }) => value), text: "" });
    return true;
  }
  const own = [...named, ...choices].find(({ takesText }) => takesText === true);
  if (own === undefined || (!several && named.some((one) => one !== own))) return false;
  settle({ values: [...new Set([...named, own])].map(({ value }) => value), text: words });
  return true;
}
