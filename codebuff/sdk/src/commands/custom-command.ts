import type { PolicyRule } from "@muster/codebuff-protocol";
import { z } from "zod";
import { readFrontMatter } from "../load/front-matter.ts";
import { allowedTools } from "./allowed-tools.ts";

/** A prompt that somebody wrote down, under the name of its file. */
export interface CustomCommand {
  /** `review`, or `front:review` in a folder. */
  readonly name: string;
  readonly path: string;
  readonly whose: "user" | "project";
  readonly description: string;
  /** What it takes, for the menu. */
  readonly hint: string;
  readonly model: string | undefined;
  /** What it may do without being asked about, while it works. */
  readonly rules: readonly PolicyRule[];
  readonly body: string;
}

const text = z.union([z.string(), z.number(), z.array(z.unknown())]).transform(String);
const Fields = z.looseObject({
  description: z.string().optional().catch(undefined),
  "argument-hint": text.optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  "allowed-tools": z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
});

export async function readCommand(
  { name, path, whose }: Pick<CustomCommand, "name" | "path" | "whose">,
  content: string,
): Promise<CustomCommand & { readonly faults: readonly string[] }> {
  const { fields, body } = (await readFrontMatter(content)) ?? { fields: {}, body: content };
  const { description, model, ...more } = Fields.parse(fields);
  const { rules, faults } = allowedTools(more["allowed-tools"]);
  const first = body.trim().split("\n")[0] ?? "";
  return {
    name,
    path,
    whose,
    description: description ?? first.replace(/^#+\s*/, "").slice(0, 100),
    hint: more["argument-hint"] ?? "",
    model: modelOf(model),
    rules,
    body: body.trim(),
    faults,
  };
}

/** Short names are those of Claude Code; a name without vendor is Anthropic's there. */
function modelOf(model: string | undefined): string | undefined {
  if (model === undefined || model === "inherit") return undefined;
  const known: Record<string, string> = {
    haiku: "anthropic/claude-haiku-4.5",
    sonnet: "anthropic/claude-sonnet-4.6",
    opus: "anthropic/claude-opus-4.6",
  };
  return known[model] ?? (model.includes("/") ? model : `anthropic/${model}`);
}
