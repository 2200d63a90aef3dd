import { isToolName, type ToolInput, type ToolName } from "@muster/codebuff-protocol";
import { locate, type Project } from "../files/access/project.ts";
import { patchedPaths } from "../files/apply-patch.ts";
import type { Claim } from "./call-order.ts";

/** `input` has been checked against the tool's schema. A tool that is not in the table goes one call at a time. */
export async function claimOf(
  tool: string,
  input: unknown,
  { project, sessionFor }: { project: Project; sessionFor: (given: string | undefined) => string },
): Promise<Claim> {
  if (!isToolName(tool)) return { kind: "command", session: `tool:${tool}` };
  const real = (paths: readonly string[]) => realPaths(paths, project);
  switch (tool) {
    case "write_file":
    case "str_replace":
    case "create_plan":
      return { kind: "edit", paths: await real([inputAs<"create_plan">(input).path]) };
    case "apply_patch":
      return { kind: "edit", paths: await real(pathsOfPatch(inputAs<"apply_patch">(input))) };
    case "propose_write_file":
    case "propose_str_replace":
      return { kind: "propose", paths: await real([inputAs<"propose_str_replace">(input).path]) };
    case "read_files": {
      const { paths, ranges = [] } = inputAs<"read_files">(input);
      return { kind: "look", paths: await real([...paths, ...ranges.map((range) => range.path)]) };
    }
    case "code_search":
    case "glob":
    case "list_directory":
    case "find_files":
    case "read_subtree":
      return { kind: "look" };
    case "run_terminal_command":
    case "kill_terminal":
    case "read_screen":
      return { kind: "command", session: sessionFor(inputAs<"read_screen">(input).session_id) };
    case "run_file_change_hooks":
      return { kind: "command", session: "hooks" };
    default:
      return { kind: "free" };
  }
}

function inputAs<Name extends ToolName>(input: unknown): ToolInput<Name> {
  return input as ToolInput<Name>;
}

/** A patch that cannot be read changes nothing; the handler will say why. */
function pathsOfPatch({ operation }: ToolInput<"apply_patch">): string[] {
  try {
    return patchedPaths(operation);
  } catch {
    return [];
  }
}

async function realPaths(paths: readonly string[], project: Project): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    paths.map((one) =>
      locate(project, one).then(
        ({ real }) => real,
        () => one,
      ),
    ),
  );
  return new Set(found);
}
