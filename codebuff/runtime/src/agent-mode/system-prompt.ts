import {
  type AgentModeSelf,
  type FileContext,
  isToolName,
  type ToolName,
  toolJsonSchema,
  toolSpec,
} from "@muster/codebuff-protocol";
import { shorten } from "../context/shorten.ts";

export interface PromptFacts {
  readonly toolNames: readonly string[];
  readonly files: FileContext | undefined;
  /** What `memorySection` made. */
  readonly memory: string;
  readonly self: AgentModeSelf | undefined;
}

/** The system prompt of agent mode, made from the tool table and from what is known of the project and of ourselves. */
export function agentModePrompt({ toolNames, files, memory, self }: PromptFacts): string {
  return [
    work,
    rules,
    toolsSection(toolNames),
    terminal,
    selfSection(self),
    `# Memory\n\n${memory}`,
    projectSection(files),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

const work = `You are Codebuff in agent mode. You work on a task of the user that takes many steps, on your own from beginning to end, without asking between the steps.

# How to work

You act through tools, above all through run_terminal_command. Read the output of each call with care before you decide what to do next.`;

const rules = `- Begin by breaking the task into subgoals with add_subgoal; report progress with update_subgoal as you go.
- Before you call a tool, say in plain text what you plan, what you are about to do and what the last result told you.
- Be methodical: one step after the other, checked by running it. When something fails, find out why, correct the cause and try again; do not repeat what failed unchanged.
- Call end_turn only when the whole task is done, or when you cannot go on without an answer of the user. Until then keep calling tools.`;

function toolsSection(names: readonly string[]): string {
  const known = names.filter(isToolName);
  return `# Tools

A call is an element with the tool's name that begins on a line of its own; each parameter is an element inside it. Write one call, then stop: its result comes in the next message as a tool_result element with a status. (Subgoals may be written one after the other.) Text inside parameters is taken as it stands; &lt; &gt; and &amp; are decoded, and <![CDATA[ … ]]> keeps everything as it is. A list is a repeated element or one entry per line; an object is JSON.

${example}

${known.map(toolText).join("\n\n")}`;
}

const example = `<run_terminal_command>
<command>npm test</command>
</run_terminal_command>`;

function toolText(name: ToolName): string {
  const { properties = {}, required = [] } = toolJsonSchema(name) as { properties?: object; required?: string[] };
  const parameters = Object.entries(properties).map(([parameter, schema]) =>
    parameterText(parameter, schema, required.includes(parameter)),
  );
  return [`<${name}>: ${toolSpec(name).summary}`, ...parameters].join("\n");
}

function parameterText(name: string, schema: Record<string, unknown>, isRequired: boolean): string {
  const { type = "JSON", enum: choices, description, default: preset } = schema;
  const kind = Array.isArray(choices)
    ? choices.join(" | ")
    : String(type === "array" || type === "object" ? kindOf(schema) : type);
  const optional = preset === undefined ? "optional" : `default ${JSON.stringify(preset)}`;
  const told = typeof description === "string" ? `. ${description}` : "";
  return `- ${name}: ${kind}, ${isRequired && preset === undefined ? "required" : optional}${told}`;
}

/** Objects are described by their schema; a list by that of its entries. */
function kindOf({ type, items, ...schema }: Record<string, unknown>): string {
  if (type !== "array") return `object ${JSON.stringify({ ...schema, description: undefined })}`;
  const entry = (items ?? {}) as Record<string, unknown>;
  return entry.type === "string" ? "list of texts" : `list of objects ${JSON.stringify(entry)}`;
}

const terminal = `# The terminal

It persists: directory, environment and running programs stay between calls. A command may return before it has finished; then its status is running and the next call sees the new output. To stop such a program, send it a signal:

<run_terminal_command>
<command_signal>CTRL_C</command_signal>
</run_terminal_command>

A whole task can also be given to another Codebuff: codebuff -n --json "…".`;

function selfSection(self: AgentModeSelf | undefined): string {
  if (self === undefined) return "";
  const files = Object.entries(self.keyFiles).map(([what, path]) => `- ${path}: ${what}`);
  const commands =
    self.commands.length === 0 ? "" : `\nTo build and test yourself, run there: ${self.commands.join(" && ")}`;
  return `# Yourself

You are an instance of Codebuff, and you may change your own source. It lies in ${self.root}. Key files:
${files.join("\n")}${commands}`;
}

function projectSection(files: FileContext | undefined): string {
  if (files === undefined) return "";
  const knowledge = Object.entries(files.knowledgeFiles).map(([path, text]) => `${path}:\n${text}`);
  const system = Object.entries(files.systemInfo ?? {}).map(([name, text]) => `${name}: ${text}`);
  return [
    `# The project\n\nRoot: ${files.projectRoot}\nDirectory: ${files.cwd}`,
    ...system,
    shorten(knowledge.join("\n\n"), 8_000),
    shorten(files.fileTree.join("\n"), 8_000),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
