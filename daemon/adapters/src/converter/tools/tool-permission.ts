import type { PermissionAction, PermissionDetail } from "@muster/schema";
import { permissionScope } from "./permission-scope.ts";
import { permissionTitle } from "./titles.ts";
import { type KnownTool, type ToolInput, textOf, type toolTable } from "./tool-table.ts";

/** A tool an agent asks for before it runs. */
export interface AskedTool extends KnownTool {
  action: PermissionAction;
}

interface AskedCall {
  name: string;
  input: ToolInput;
  directory: string | undefined;
}

/** What an agent's calls do not have in common with those of another. */
interface OwnWords {
  command(action: PermissionAction, subject: string | undefined): string | undefined;
  /** Fields beside a command that leave it the same command; with any other it is another one, and granted apart. */
  isUsual(field: string, value: unknown): boolean;
  detail(action: PermissionAction, about: { command?: string; paths?: string[] }): PermissionDetail;
}

/** What a permission for this call is about. */
export function toolPermission(
  tools: ReturnType<typeof toolTable<AskedTool>>,
  { name, input, directory }: AskedCall,
  own: OwnWords,
) {
  const action: PermissionAction = name.startsWith("mcp__") ? "mcp" : (tools.known(name)?.action ?? "other");
  const subject = tools.subjectOf(name, input);
  const paths = tools.pathsOf(name, input, directory);
  const command = own.command(action, subject);
  const url = textOf(input.url);
  const title = permissionTitle(action, {
    command,
    paths,
    url,
    query: subject,
    tool: name,
    otherwise: subject === undefined ? undefined : `Use ${name}: ${subject}`,
  });
  const unusual = Object.entries(input).filter(([field, value]) => !own.isUsual(field, value));
  const rest = unusual.length === 0 ? "" : ` ${JSON.stringify(Object.fromEntries(unusual))}`;
  const alwaysScope = permissionScope(action, {
    command: command === undefined ? undefined : `${command}${rest}`,
    paths,
    url,
    tool: name,
    otherwise: [`${name} ${JSON.stringify(input)}`],
  });
  return { action, title, detail: own.detail(action, { command, paths }), alwaysScope };
}
