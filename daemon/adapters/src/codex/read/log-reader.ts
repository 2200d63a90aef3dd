import type { EventBody } from "@muster/schema";
import { EventReader } from "../../converter/event-reader.ts";
import { codexConverter } from "../converter.ts";
import { codexExecConverter } from "./exec-converter.ts";

/** Logs of `codex app-server` and of `codex exec --json`: the first line tells which it is. */
export function codexLogReader(): { line(line: string): EventBody[]; end(): EventBody[] } {
  let reader: { line(line: string): EventBody[]; end(): EventBody[] } | undefined;
  return {
    line(line) {
      reader ??= isExec(line)
        ? new EventReader(codexExecConverter)
        : new EventReader(codexConverter({ permissionMode: "default" }));
      return reader.line(line);
    },
    end: () => reader?.end() ?? [],
  };
}

/** Its lines have a type where JSON-RPC has a method or an id. */
function isExec(line: string): boolean {
  return /^\s*\{\s*"type"\s*:/.test(line);
}
