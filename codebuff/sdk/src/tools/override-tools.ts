import type { ClientToolName, ToolInput, ToolName, ToolOutput } from "@muster/codebuff-protocol";
import { fileMarkers } from "@muster/codebuff-protocol";
import type { CallContext, ToolHandlers } from "@muster/codebuff-workspace";

/** What an override of the writers gets: a whole file, or a change as a unified diff. */
export interface FileChange {
  type: "file" | "patch";
  path: string;
  content: string;
}

type Override<Input> = (input: Input) => Promise<ToolOutput> | ToolOutput;

/**
 * Client tools that the embedding program runs itself. An override of `write_file` also gets what `str_replace` and
 * `apply_patch` would change, unless they have one of their own.
 */
export type OverrideTools = {
  [Name in Exclude<ClientToolName, "read_files" | "write_file" | "run_terminal_command">]?: Override<ToolInput<Name>>;
} & {
  read_files?: (input: { filePaths: string[] }) => Promise<Record<string, string | null>>;
  write_file?: Override<FileChange>;
  run_terminal_command?: Override<ToolInput<"run_terminal_command"> & { mode: "assistant" | "user" }>;
};

/** Computes what an edit would change, without changing it. */
export type Propose = (
  tool: "propose_str_replace",
  input: ToolInput<"propose_str_replace">,
  context: CallContext,
) => Promise<{ diff: string } | { output: ToolOutput }>;

export function overrideHandlers(overrides: OverrideTools, propose: Propose): ToolHandlers {
  const { read_files: readFiles, write_file: writeFile, run_terminal_command: runCommand, ...others } = overrides;
  const handlers: Partial<Record<ToolName, (input: never, context: CallContext) => Promise<ToolOutput>>> = {};
  for (const [name, override] of Object.entries(others)) {
    if (override !== undefined) handlers[name as ToolName] = async (input) => override(input);
  }
  if (readFiles !== undefined) {
    handlers.read_files = async ({ paths }: ToolInput<"read_files">) => {
      const filePaths = [...new Set(paths)];
      const found = await readFiles({ filePaths });
      const value = filePaths.map((path) => ({ path, content: found[path] ?? fileMarkers.missing, referencedBy: {} }));
      return [{ type: "json", value }];
    };
  }
  if (runCommand !== undefined) {
    handlers.run_terminal_command = async (input: ToolInput<"run_terminal_command">) =>
      runCommand({ ...input, mode: "assistant" });
  }
  if (writeFile !== undefined) {
    handlers.write_file = async ({ path, content }: ToolInput<"write_file">) =>
      writeFile({ type: "file", path, content });
    handlers.create_plan ??= async ({ path, plan }: ToolInput<"create_plan">) =>
      writeFile({ type: "file", path, content: plan });
    handlers.str_replace ??= async (input: ToolInput<"str_replace">, context) => {
      const proposed = await propose("propose_str_replace", input, context);
      return "output" in proposed
        ? proposed.output
        : writeFile({ type: "patch", path: input.path, content: proposed.diff });
    };
    handlers.apply_patch ??= async ({ operation }: ToolInput<"apply_patch">) => {
      if (operation.type !== "create_file" && operation.type !== "update_file")
        throw new Error(`${operation.type} is not available here`);
      const { path, diff } = operation;
      return writeFile({ type: operation.type === "create_file" ? "file" : "patch", path, content: diff });
    };
  }
  return handlers as ToolHandlers;
}
