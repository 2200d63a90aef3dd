import { AgentDefinition } from "@muster/codebuff-protocol";
import { type Cost, type Model, noCost } from "@muster/codebuff-runtime";
import type { PickFiles } from "@muster/codebuff-workspace";
import { parseJson } from "@muster/core";
import { z } from "zod";

const picker = AgentDefinition.parse({
  id: "file-finder",
  displayName: "File finder",
  model: "google/gemini-2.5-flash",
});
const instructions =
  "You are given the tree of a project and a task. Answer with a JSON array of the paths of at most 12 files that matter most for the task, and nothing else.";

/** `find_files`: a fast model picks paths from the tree. What it cost is told to `onCost`. */
export function filePicker(
  model: Model,
  { runId, wanted, onCost }: { runId: string; wanted: string; onCost: (cost: Cost) => void },
): PickFiles {
  return async ({ prompt, tree, signal = new AbortController().signal }) => {
    const request = {
      runId,
      agentId: picker.id,
      ancestorRunIds: [],
      agent: picker,
      model: wanted,
      messages: [
        { role: "system" as const, content: instructions },
        { role: "user" as const, content: [{ type: "text" as const, text: `${tree}\n\nTask: ${prompt}` }] },
      ],
      cacheAt: [],
      tools: [],
      maxTokens: 2_000,
    };
    let text = "";
    let cost = noCost;
    try {
      for await (const chunk of model.stream(request, signal)) {
        if (chunk.type === "text-delta") text += chunk.text;
        if (chunk.type === "error") throw new Error(chunk.message);
        if (chunk.type === "spent" || chunk.type === "finish") cost = chunk.cost;
      }
    } finally {
      onCost(cost);
    }
    return pathsIn(text);
  };
}

/** A model that wraps its answer in words or a fence is still understood. */
function pathsIn(text: string): string[] {
  const [array] = /\[[\s\S]*\]/.exec(text) ?? [];
  const read = z.array(z.string()).safeParse(parseJson(array));
  if (read.success) return read.data;
  // Models also answer with a list of lines.
  return text
    .split("\n")
    .map((line) => line.replace(/^[\s*\-"'`]+|[\s"'`,]+$/g, ""))
    .filter((line) => /^[\w./@-]+\.\w+$/.test(line));
}
