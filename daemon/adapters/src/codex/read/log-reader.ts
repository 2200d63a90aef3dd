import type { LinesReader } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";
import { codexConverter } from "../converter.ts";
import { codexExecConverter } from "./exec-converter.ts";

/** Logs of `codex app-server` and of `codex exec --json`: the first line tells which it is. */
export function codexLogReader(): LinesReader {
  let reader: LinesReader | undefined;
  return {
    line(line) {
      reader ??= isExec(line)
        ? new EventReader(codexExecConverter)
        : new EventReader(codexConverter({ permissionMode: "default" }), threadIn);
      return reader.line(line);
    },
    end: () => reader?.end() ?? [],
  };
}

/** Its lines have a type where JSON-RPC has a method or an id. */
function isExec(line: string): boolean {
  return /^\s*\{\s*"type"\s*:/.test(line);
}

/** The thread as the first line names it: its start, the answer to it, or any notification. */
function threadIn(line: unknown): string | undefined {
  const { result, params } = asInput(line);
  const { thread = asInput(params).thread } = asInput(result);
  return textOf(asInput(thread).id) ?? textOf(asInput(params).threadId);
}
