import { AgentModeResult } from "@muster/codebuff-protocol";
import { escapeXml, unescapeXml } from "./text.ts";

/** The results of one response as the text of one message, an element per call. */
export function resultsXml(results: readonly AgentModeResult[]): string {
  return results.map(resultXml).join("\n");
}

function resultXml({ id, name, status, result }: AgentModeResult): string {
  return [
    "<tool_result>",
    `<tool>${escapeXml(name)}</tool>`,
    `<id>${escapeXml(id)}</id>`,
    `<status>${status}</status>`,
    `<result>${escapeXml(result)}</result>`,
    "</tool_result>",
  ].join("\n");
}

const element =
  /<tool_result>\n<tool>([^<]*)<\/tool>\n<id>([^<]*)<\/id>\n<status>([^<]*)<\/status>\n<result>([^<]*)<\/result>\n<\/tool_result>/g;

/** Reads back what `resultsXml` wrote; escaping keeps a result from closing its own element. */
export function readResultsXml(text: string): AgentModeResult[] {
  return [...text.matchAll(element)].map(([, name = "", id = "", status, result = ""]) =>
    AgentModeResult.parse({ name: unescapeXml(name), id: unescapeXml(id), status, result: unescapeXml(result) }),
  );
}
