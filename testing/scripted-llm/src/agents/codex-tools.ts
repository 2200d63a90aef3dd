import { asText } from "../request/json-reading.ts";
import type { OfferedTool } from "../request/model-request.ts";
import type { NativeCall } from "./native-call.ts";

type Input = Record<string, unknown>;

/** Codex 0.166: exec_command, shell_command or shell by model; code-mode models have one JavaScript tool `exec`. */
export function codexCommand(command: string, input: Input, offered: readonly OfferedTool[]): NativeCall {
  const has = (name: string) => offered.some((tool) => tool.name === name);
  const cwd = input.cwd === undefined ? {} : { workdir: input.cwd };
  const { command: _command, cwd: _cwd, description: _description, ...others } = input;
  const codeMode = codeModeTool(offered);
  if (codeMode !== undefined) {
    const call = `tools.exec_command(${JSON.stringify({ cmd: command, ...cwd, ...others })})`;
    return { ...codeMode, text: `const result = await ${call};\ntext(result.output);` };
  }
  if (has("shell_command")) return { name: "shell_command", input: { command, ...cwd, ...others } };
  if (has("shell") && !has("exec_command")) {
    return { name: "shell", input: { command: ["bash", "-lc", command], ...cwd, ...others } };
  }
  return { name: "exec_command", input: { cmd: command, ...cwd, ...others } };
}

export function codexPatch(change: string, offered: readonly OfferedTool[]): NativeCall {
  const patch = `*** Begin Patch\n${change}\n*** End Patch`;
  const codeMode = codeModeTool(offered);
  if (codeMode !== undefined) {
    return { ...codeMode, text: `text(JSON.stringify(await tools.apply_patch(${JSON.stringify(patch)})));` };
  }
  const tool = offered.find((one) => one.name === "apply_patch");
  if (tool === undefined) return codexCommand(`apply_patch <<'PATCH'\n${patch}\nPATCH`, {}, offered);
  return tool.custom ? { name: "apply_patch", text: patch } : { name: "apply_patch", input: { input: patch } };
}

/** A function tool by name: in its namespace where it is offered, else through the JavaScript of code mode. */
export function codexFunction(name: string, input: Input, offered: readonly OfferedTool[]): NativeCall {
  const tool = offered.find((one) => one.name === name);
  const codeMode = codeModeTool(offered);
  if (tool === undefined && codeMode !== undefined) {
    return { ...codeMode, text: `text(JSON.stringify(await tools.${name}(${JSON.stringify(input)})));` };
  }
  return tool?.namespace === undefined ? { name, input } : { name, input, namespace: tool.namespace };
}

function codeModeTool(offered: readonly OfferedTool[]): { name: string; namespace?: string } | undefined {
  const tool = offered.find((one) => one.name === "exec" && one.custom);
  if (tool === undefined) return undefined;
  return tool.namespace === undefined ? { name: tool.name } : { name: tool.name, namespace: tool.namespace };
}

export function patchLines(mark: string, text: unknown): string {
  return asText(text)
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => mark + line)
    .join("\n");
}
