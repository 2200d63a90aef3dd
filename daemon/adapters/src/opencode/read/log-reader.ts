import { parseJson } from "@muster/core";
import type { LinesReader } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { opencodeConverter } from "../converter.ts";
import { eventOf, sessionOf } from "../wire/native.ts";

/** Logs of OpenCode's event stream. The first session that is named is the one that is read; the others are its sub-agents. */
export function opencodeLogReader(): LinesReader {
  let reader: LinesReader | undefined;
  return {
    line(line) {
      if (reader === undefined) {
        const nativeSessionId = sessionNamedIn(line);
        if (nativeSessionId === undefined) return [];
        reader = new EventReader(opencodeConverter(settingsOf(nativeSessionId)), () => nativeSessionId);
      }
      return reader.line(line);
    },
    end: () => reader?.end() ?? [],
  };
}

function sessionNamedIn(line: string): string | undefined {
  // What is no JSON names none: what comes before the first one belongs to the server.
  return sessionOf(eventOf(parseJson(line))?.properties);
}

export function settingsOf(nativeSessionId: string) {
  const permissionMode = "default" as const;
  return { nativeSessionId, directory: "", providerID: "", modelID: "", permissionMode, mcpServers: [] };
}
