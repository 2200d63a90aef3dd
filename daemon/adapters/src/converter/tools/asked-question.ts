import type { Question } from "@muster/schema";

/** A question as a model writes it: Claude's AskUserQuestion and Codebuff's ask_user have the same form. */
interface AskedQuestion {
  question: string;
  header?: string | null | undefined;
  multiSelect?: boolean | null | undefined;
  options?: readonly { label: string; description?: string | null | undefined }[] | null | undefined;
}

/** An option is known by its label: any other id could be taken for somebody's own words. */
export function readQuestion({ question, header, multiSelect, options }: AskedQuestion, index: number): Question {
  return {
    id: `q${index + 1}`,
    header: header ?? undefined,
    question,
    type: "string",
    options: (options ?? []).map(({ label, description }) => ({
      id: label,
      label,
      description: description ?? undefined,
    })),
    multiSelect: multiSelect === true,
    allowCustom: true,
  };
}

/** The way back. */
export function writeQuestion({ question, header, multiSelect, options }: Question): AskedQuestion {
  return { question, header, multiSelect, options: options.map(({ label, description }) => ({ label, description })) };
}
