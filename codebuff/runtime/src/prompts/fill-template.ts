import type { FileContext } from "@muster/codebuff-protocol";
import { printFileTree } from "./file-tree.ts";

export interface TemplateValues {
  readonly agentName: string;
  readonly files: FileContext;
  readonly remainingSteps: number;
  readonly userPrompt: string;
  readonly initialPrompt: string;
}

/** Placeholder → value. Adding a placeholder means adding a line here. */
const placeholders: Readonly<Record<string, (values: TemplateValues) => string>> = {
  AGENT_NAME: ({ agentName }) => agentName,
  FILE_TREE_PROMPT: ({ files }) => printFileTree(files.fileTree, 10_000),
  FILE_TREE_PROMPT_SMALL: ({ files }) => printFileTree(files.fileTree, 2_500),
  FILE_TREE_PROMPT_LARGE: ({ files }) => printFileTree(files.fileTree, 190_000),
  GIT_CHANGES_PROMPT: ({ files }) => gitChanges(files),
  KNOWLEDGE_FILES_CONTENTS: ({ files }) => knowledge(files),
  PROJECT_ROOT: ({ files }) => files.projectRoot,
  REMAINING_STEPS: ({ remainingSteps }) => String(remainingSteps),
  SYSTEM_INFO_PROMPT: ({ files }) => lines(files.systemInfo),
  USER_CWD: ({ files }) => files.cwd,
  USER_INPUT_PROMPT: ({ userPrompt }) => userPrompt,
  INITIAL_AGENT_PROMPT: ({ initialPrompt }) => initialPrompt,
};

/** One pass over the template: a placeholder inside a value (a file's text, a user's words) stays as it is. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{CODEBUFF_([A-Z_]+)\}/g, (whole, name: string) => {
    return Object.hasOwn(placeholders, name) ? (placeholders[name]?.(values) ?? whole) : whole;
  });
}

/** The knowledge files of the root and the user's own, each fenced with its path. */
function knowledge({ knowledgeFiles, userKnowledgeFiles = {} }: FileContext): string {
  const ofRoot = Object.entries(knowledgeFiles).filter(([path]) => !path.includes("/"));
  return [...ofRoot, ...Object.entries(userKnowledgeFiles)]
    .map(([path, text]) => `\`\`\`${path}\n${text.trimEnd()}\n\`\`\``)
    .join("\n\n");
}

function gitChanges({ gitChanges }: FileContext): string {
  if (gitChanges === undefined) return "";
  const { status, diff, diffCached, lastCommitMessages } = gitChanges;
  return lines({ status, diff, "staged diff": diffCached, "last commits": lastCommitMessages });
}

function lines(values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => (value.includes("\n") ? `${name}:\n${value}` : `${name}: ${value}`))
    .join("\n");
}
