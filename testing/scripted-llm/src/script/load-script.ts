import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "@muster/core";
import { LineCounter, parseDocument } from "yaml";
import { Script, type ScriptInput } from "./script.ts";
import { type LineOf, ScriptError, scriptError } from "./script-error.ts";
import { withVariables } from "./variables.ts";

export interface LoadOptions {
  /** Values of `{{name}}`; they win over the script's own `variables`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Reads a script file: YAML, JSON, or a module that exports `script`. Throws ScriptError, all faults in one. */
export async function loadScript(file: string, options: LoadOptions = {}): Promise<Script> {
  if (/\.[cm]?[jt]s$/.test(extname(file))) return checkScript(await importScript(file), file, options);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ScriptError(`${file}: cannot be read (${error.code ?? error.message})`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined) throw new ScriptError(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  return checkScript(document.toJS(), file, options, (path) => {
    const offset = rangeStart(document, path);
    return offset === undefined ? undefined : lines.linePos(offset).line;
  });
}

/** Validates a script value and puts its variables in. `source` names it in errors. */
export function checkScript(value: unknown, source: string, options: LoadOptions = {}, lineOf?: LineOf): Script {
  const checked = Script.safeParse(value);
  if (!checked.success) throw scriptError(source, checked.error, lineOf);
  const variables = { ...checked.data.variables, ...options.variables };
  return Object.keys(variables).length === 0 ? checked.data : withVariables(checked.data, variables);
}

async function importScript(file: string): Promise<ScriptInput> {
  const module: Record<string, unknown> = await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    throw new ScriptError(`${file}: cannot be imported: ${messageOf(error)}`);
  });
  const script = module.script ?? module.default;
  if (script === undefined) throw new ScriptError(`${file}: exports no "script"`);
  return script as ScriptInput;
}

/** A field that is missing has no line of its own: its nearest parent has. */
function rangeStart(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range !== undefined) return node.range[0];
  }
  return undefined;
}
