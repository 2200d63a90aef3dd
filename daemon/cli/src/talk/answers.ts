import type { Question, ReplyPermission } from "@muster/schema";

/** What was typed at a permission; undefined when it is not clear. Anything after a no is told to the agent. */
export function permissionReply(line: string): ReplyPermission | undefined {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  switch (word.toLowerCase().replace(/[,.:]$/, "")) {
    case "y":
    case "yes":
    case "once":
      return { reply: "once" };
    case "a":
    case "always":
      return { reply: "always" };
    case "n":
    case "no":
    case "reject":
      return { reply: "reject", message: rest === "" ? undefined : rest };
    default:
      return undefined;
  }
}

/** Numbers or labels of options, several with commas between them where several may be; own words where those may be. */
export function questionAnswer(line: string, question: Question): string[] | undefined {
  const { options, multiSelect, allowCustom } = question;
  const text = line.trim();
  if (text === "") return [];
  const words = multiSelect ? text.split(/\s*,\s*/).filter((word) => word !== "") : [text];
  const labels = words.map((word) => labelOf(word, options));
  if (labels.every((label) => label !== undefined)) return labels;
  // A number of a list that has none such is a slip, and no answer in own words.
  const isSlip = question.type !== "number" && words.some((word, at) => /^\d+$/.test(word) && labels[at] === undefined);
  return options.length === 0 || (allowCustom && !isSlip) ? [text] : undefined;
}

function labelOf(word: string, options: Question["options"]): string | undefined {
  if (/^\d+$/.test(word)) return options[Number(word) - 1]?.label;
  const wanted = word.toLowerCase();
  return options.find(({ id, label }) => label.toLowerCase() === wanted || id.toLowerCase() === wanted)?.label;
}
