import { z } from "zod";
import { agentTools } from "./agent-tools.ts";
import { fileTools } from "./file-tools.ts";
import { searchTools } from "./search-tools.ts";
import { terminalTools } from "./terminal-tools.ts";
import type { ToolEffect, ToolSpec } from "./tool-spec.ts";

/** Every built-in tool. Adding a tool means adding a line in one of the four tables; everything else follows. */
export const toolTable = { ...fileTools, ...searchTools, ...terminalTools, ...agentTools } as const;

export type ToolName = keyof typeof toolTable;
export type ToolInput<Name extends ToolName> = z.infer<(typeof toolTable)[Name]["input"]>;
export type ToolResult<Name extends ToolName> = z.infer<(typeof toolTable)[Name]["result"]>;
/** The tools that run on the user's machine, so that a table of handlers can be checked for completeness. */
export type ClientToolName = {
  [Name in ToolName]: (typeof toolTable)[Name]["clientSide"] extends true ? Name : never;
}[ToolName];

export const toolNames = Object.keys(toolTable) as ToolName[];

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolTable, name);
}

export function toolSpec(name: ToolName): ToolSpec {
  return toolTable[name];
}

export function toolEffect(name: ToolName): ToolEffect {
  return toolTable[name].effect;
}

export type CheckedInput<Name extends ToolName> =
  | { readonly ok: true; readonly input: ToolInput<Name> }
  | { readonly ok: false; readonly errorMessage: string };

/** Checks a model's arguments and fills in the defaults; a refusal names every field that is wrong. */
export function checkToolInput<Name extends ToolName>(name: Name, input: unknown): CheckedInput<Name> {
  const checked = toolTable[name].input.safeParse(input);
  if (checked.success) return { ok: true, input: checked.data as ToolInput<Name> };
  const faults = checked.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
  return { ok: false, errorMessage: `Invalid input for ${name}: ${faults.join("; ")}` };
}

/** The tool's input as a model provider wants it. */
export function toolJsonSchema(name: ToolName): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(toolTable[name].input, { io: "input", unrepresentable: "any" });
  return schema;
}
