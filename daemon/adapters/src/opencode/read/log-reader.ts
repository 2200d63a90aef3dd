import type { EventBody } from "@muster/schema";
import { EventReader } from "../../converter/event-reader.ts";
import { opencodeConverter } from "../converter.ts";
import { eventOf, sessionOf } from "../wire/native.ts";

/** Logs of OpenCode's event stream. The first session that is named is the one that is read; the others are its sub-agents. */
export function opencodeLogReader(): { line(line: string): EventBody[]; end(): EventBody[] } {
  let reader: { line(line: string): EventBody[]; end(): EventBody[] } | undefined;
  return {
    line(line) {
      if (reader === undefined) {
        const nativeSessionId = sessionNamedIn(line);
        if (nativeSessionId === undefined) return [];
        reader = new EventReader(opencodeConverter(settingsOf(nativeSessionId)));
      }
      return reader.line(line);
    },
    end: () => reader?.end() ?? [],
  };
}

function sessionNamedIn(line: string): string | undefined {
  try {
    return sessionOf(eventOf(JSON.parse(line))?.properties);
  } catch {
    // Not JSON, so no session: what comes before the first one belongs to the server.
    return undefined;
  }
}

function settingsOf(nativeSessionId: string) {
  const permissionMode = "default" as const;
  return { nativeSessionId, directory: "", providerID: "", modelID: "", permissionMode, mcpServers: [] };
}
