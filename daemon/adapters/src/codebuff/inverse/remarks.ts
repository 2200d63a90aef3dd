import type { Item } from "@muster/schema";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";

type Remark =
  | {
      of: "subagent";
      agentType: string;
      displayName: string;
      prompt: string | undefined;
      model: unknown;
      params: unknown;
    }
  | { of: "line"; line: { type: string; [field: string]: unknown } };

/** What of a status Codebuff has a line for: the work of a sub-agent, a download, a retry. */
export function remarkOf({ content: [status, info] }: Item): Remark | undefined {
  if (status?.type !== "status") return undefined;
  const { label, detail } = status;
  const { agentType, model, params } = asInput(info?.type === "json" ? info.json : undefined);
  const type = textOf(agentType);
  if (type !== undefined) return { of: "subagent", agentType: type, displayName: label, prompt: detail, model, params };
  const download = /^download (.+)$/.exec(label)?.[1];
  if (download !== undefined)
    return { of: "line", line: { type: "download", version: detail ?? "", status: download } };
  if (label !== "retrying") return undefined;
  return { of: "line", line: { type: "error", code: "retrying", fatal: false, message: detail ?? "" } };
}
