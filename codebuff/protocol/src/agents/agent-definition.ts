import { z } from "zod";
import type { HandleSteps } from "./steps.ts";

/** A JSON schema as authors write it; it travels to the model unchanged. */
const JsonSchema = z.record(z.string(), z.json());
const JsonSchemaObject = JsonSchema.refine((schema) => schema.type === "object", {
  message: 'must be a JSON schema of type "object"',
});

/** The person believes this server when it says that a tool only reads. Counts in the person's own settings only. */
const trustReadOnlyHint = z.boolean().optional();

export const McpServer = z.union([
  z.object({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    trustReadOnlyHint,
  }),
  z.object({
    type: z.enum(["http", "sse"]),
    url: z.string().min(1),
    params: z.record(z.string(), z.string()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    trustReadOnlyHint,
  }),
]);
export type McpServer = z.infer<typeof McpServer>;

export const ReasoningOptions = z
  .object({
    enabled: z.boolean().optional(),
    exclude: z.boolean().optional(),
    max_tokens: z.int().min(1).optional(),
    effort: z.enum(["high", "medium", "low", "minimal", "none"]).optional(),
  })
  .refine((options) => options.max_tokens === undefined || options.effort === undefined, {
    message: "give only one of max_tokens and effort",
  });
export type ReasoningOptions = z.infer<typeof ReasoningOptions>;

const ProviderOptions = z.object({
  order: z.array(z.string()).optional(),
  allow_fallbacks: z.boolean().optional(),
  only: z.array(z.string()).optional(),
  ignore: z.array(z.string()).optional(),
  require_parameters: z.boolean().optional(),
  data_collection: z.enum(["allow", "deny"]).optional(),
  quantizations: z.array(z.string()).optional(),
  sort: z.enum(["price", "throughput", "latency"]).optional(),
  max_price: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});

const GeneratorFunction = Object.getPrototypeOf(function* empty(): Generator {}).constructor;
/** Agents of the store travel as JSON, their generator as its source text. */
const Steps = z.custom<HandleSteps | string>(
  (value) => value instanceof GeneratorFunction || (typeof value === "string" && /^\s*function\s*\*/.test(value)),
  { message: "must be a generator function (function*), or the text of one" },
);

export const AgentDefinition = z
  .object({
    id: z.string().regex(/^[a-z0-9-]+$/, "must be lower-case letters, digits and dashes"),
    displayName: z.string().min(1),
    model: z.string().regex(/^[^/\s]+\/\S+$/, "must be written as vendor/model"),
    version: z
      .string()
      .regex(/^\d+\.\d+\.\d+(?:[-+].+)?$/, "must be a semantic version")
      .optional(),
    publisher: z.string().min(1).optional(),
    reasoningOptions: ReasoningOptions.optional(),
    providerOptions: ProviderOptions.optional(),
    mcpServers: z.record(z.string(), McpServer).default({}),
    toolNames: z.array(z.string().min(1)).default([]),
    spawnableAgents: z.array(z.string().min(1)).default([]),
    spawnerPrompt: z.string().optional(),
    inputSchema: z
      .object({
        prompt: z.object({ type: z.literal("string"), description: z.string().optional() }).optional(),
        params: JsonSchemaObject.optional(),
      })
      .optional(),
    outputMode: z.enum(["last_message", "all_messages", "structured_output"]).default("last_message"),
    outputSchema: JsonSchemaObject.optional(),
    includeMessageHistory: z.boolean().default(false),
    inheritParentSystemPrompt: z.boolean().default(false),
    systemPrompt: z.string().optional(),
    instructionsPrompt: z.string().optional(),
    stepPrompt: z.string().optional(),
    handleSteps: Steps.optional(),
    /** `xml` is for agent mode, which reads calls from the text; the loop of `callMainPrompt` always uses native calls. */
    toolCallFormat: z.enum(["native", "xml"]).default("native"),
  })
  .refine((agent) => agent.outputSchema === undefined || agent.outputMode === "structured_output", {
    message: 'an outputSchema needs outputMode "structured_output"',
    path: ["outputMode"],
  })
  .refine((agent) => agent.spawnableAgents.length === 0 || agent.toolNames.includes("spawn_agents"), {
    message: "spawnableAgents needs spawn_agents in toolNames",
    path: ["toolNames"],
  })
  .refine((agent) => !(agent.inheritParentSystemPrompt && agent.systemPrompt !== undefined), {
    message: "systemPrompt and inheritParentSystemPrompt exclude each other",
    path: ["systemPrompt"],
  });
export type AgentDefinition = z.infer<typeof AgentDefinition>;
/** As an author writes it, before defaults. */
export type AgentDefinitionInput = z.input<typeof AgentDefinition>;

export interface AgentFault {
  readonly id: string;
  readonly message: string;
}

/** The good definitions and what is wrong with the others; one bad definition never hides the rest. */
export function checkAgentDefinitions(candidates: readonly unknown[]): {
  agents: AgentDefinition[];
  faults: AgentFault[];
} {
  const agents: AgentDefinition[] = [];
  const faults: AgentFault[] = [];
  const seen = new Set<string>();
  candidates.forEach((candidate, index) => {
    const checked = AgentDefinition.safeParse(candidate);
    if (!checked.success) {
      faults.push({ id: nameOf(candidate, index), message: z.prettifyError(checked.error) });
      return;
    }
    const { id } = checked.data;
    if (seen.has(id)) faults.push({ id, message: "another agent has the same id" });
    else agents.push(checked.data);
    seen.add(id);
  });
  return { agents, faults };
}

function nameOf(candidate: unknown, index: number): string {
  const named = z.looseObject({ id: z.string() }).safeParse(candidate);
  return named.success ? named.data.id : `#${index}`;
}
