import { isToolName, type ToolDefinition, type ToolName, type ToolOutput } from "@muster/codebuff-protocol";
import type { CustomTool } from "@muster/codebuff-workspace";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { SdkError } from "../sdk-error.ts";

/** A tool of the embedding program, as `getCustomToolDefinition` makes it. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input, and `execute` takes its own
export interface CustomToolDefinition<Name extends string = string, Args = any, Input = any> {
  toolName: Name;
  inputSchema: StandardSchemaV1<Input, Args>;
  description: string;
  endsAgentStep: boolean;
  exampleInputs: Input[];
  /** What the model is offered, where the schema library cannot say it itself. */
  jsonSchema?: Record<string, unknown>;
  execute: (params: Args) => Promise<ToolOutput> | ToolOutput;
}

/** A name of the tool table is an override, not a custom tool: the compiler says so, and so does this function. */
export function getCustomToolDefinition<Name extends string, Args, Input>(tool: {
  toolName: Name extends ToolName ? never : Name;
  inputSchema: StandardSchemaV1<Input, Args>;
  description: string;
  endsAgentStep?: boolean;
  exampleInputs?: Input[];
  jsonSchema?: Record<string, unknown>;
  execute: (params: Args) => Promise<ToolOutput> | ToolOutput;
}): CustomToolDefinition<Name, Args, Input> {
  if (isToolName(tool.toolName)) {
    throw new SdkError("reserved_tool_name", `${tool.toolName} is a built-in tool: use overrideTools`);
  }
  return { endsAgentStep: true, exampleInputs: [], ...tool, toolName: tool.toolName as Name };
}

/** As the hands take it: the input is checked by the tool's own schema before it runs. */
export function asCustomTool(tool: CustomToolDefinition): CustomTool {
  return {
    execute: async (input) => {
      const checked = await tool.inputSchema["~standard"].validate(input);
      if (checked.issues === undefined) return tool.execute(checked.value);
      const faults = checked.issues.map((issue) => `${pathOf(issue) || "input"}: ${issue.message}`);
      throw new Error(`Invalid input for ${tool.toolName}: ${faults.join("; ")}`);
    },
  };
}

/** As a model is offered it. */
export async function customToolDefinition(tool: CustomToolDefinition): Promise<ToolDefinition> {
  const examples = tool.exampleInputs.map((example) => `\nExample input: ${JSON.stringify(example)}`).join("");
  const inputSchema = (await jsonSchemaOf(tool)) as ToolDefinition["inputSchema"];
  return { name: tool.toolName, description: tool.description + examples, inputSchema, forcing: tool.endsAgentStep };
}

async function jsonSchemaOf({ jsonSchema, inputSchema }: CustomToolDefinition): Promise<Record<string, unknown>> {
  if (jsonSchema !== undefined) return jsonSchema;
  const standard = inputSchema["~standard"] as {
    vendor: string;
    jsonSchema?: { input(options: { target: string }): unknown };
  };
  if (standard.vendor === "zod") {
    return plain(z.toJSONSchema(inputSchema as unknown as z.ZodType, { io: "input", unrepresentable: "any" }));
  }
  if (standard.jsonSchema !== undefined) return plain(standard.jsonSchema.input({ target: "draft-2020-12" }));
  if (standard.vendor === "valibot") {
    const found = await import("@valibot/to-json-schema").catch(() => undefined);
    if (found !== undefined) return plain(found.toJsonSchema(inputSchema as never, { typeMode: "input" }));
  }
  // The description and its examples are all the model will know of the input.
  return { type: "object" };
}

function plain(schema: unknown): Record<string, unknown> {
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  return rest;
}

function pathOf({ path = [] }: StandardSchemaV1.Issue): string {
  return path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
}
