import type { HandleSteps, ToolOutput } from "@muster/codebuff-protocol";
import { call, hidden } from "./calls.ts";
import { outcome } from "./editor-steps.ts";
import { firstValue, isObject, type Json } from "./messages.ts";

const fewest = 2;
const most = 6;
/** Each editor looks at the task from its own side, so that the proposals differ. */
const sides = [
  "Make the smallest change that does it.",
  "Make the change that reads best afterwards.",
  "Be most careful about edge cases and errors.",
  "Reuse as much of the existing code as you can.",
  "Think of whoever changes this next.",
  "Question the obvious way first.",
];

interface Proposal {
  readonly message: Json;
  readonly calls: readonly { readonly toolName: string; readonly input: Record<string, Json> }[];
  readonly edits: Json;
}

/** N editors propose, a selector picks one, and its edits are made. */
export const bestOfN: HandleSteps = function* ({ prompt = "", params }) {
  const wanted = typeof params?.n === "number" ? Math.round(params.n) : 3;
  const count = Math.min(most, Math.max(fewest, wanted));
  const agents = sides
    .slice(0, count)
    .map((side) => ({ agent_type: "editor-proposal", prompt: `${prompt}\n\n${side}` }));
  const proposed = yield hidden("spawn_agents", { agents });
  const proposals = structuredValues(proposed.toolResult).flatMap(proposalOf);
  if (proposals.length === 0) {
    yield hidden("set_output", { errorMessage: "No editor proposed a change" });
    return;
  }
  let choice = 0;
  let reason = "There was only one proposal";
  if (proposals.length > 1) {
    const question = `${prompt}\n\n${proposals.map(describe).join("\n\n")}`;
    const selector = [{ agent_type: "best-of-n-selector", prompt: question }];
    const selected = yield hidden("spawn_agents", { agents: selector });
    const [verdict] = structuredValues(selected.toolResult);
    const number = isObject(verdict) ? Number(verdict.choice) : Number.NaN;
    // Without a usable verdict the first proposal, the smallest change, stands.
    choice = Number.isInteger(number) && number >= 1 && number <= proposals.length ? number - 1 : 0;
    reason = isObject(verdict) ? String(verdict.reason ?? "") : "The selector gave no verdict";
  }
  const chosen = proposals[choice];
  const edits: Json[] = [];
  for (const { toolName, input } of chosen?.calls ?? []) {
    const made = yield call(toolName, input);
    edits.push(outcome({ toolName, input, output: made.toolResult ?? [] }));
  }
  const message = chosen?.message ?? "";
  yield hidden("set_output", { message, choice: choice + 1, of: proposals.length, reason, edits });
};

function describe({ message, edits }: Proposal, index: number): string {
  return `<proposal number="${index + 1}">\n${String(message)}\n${JSON.stringify(edits)}\n</proposal>`;
}

/** The values children set as their output; those that failed have none. */
function structuredValues(output: ToolOutput | undefined): Json[] {
  const results = firstValue(output);
  if (!Array.isArray(results)) return [];
  return results.flatMap((result) => {
    if (!isObject(result) || !isObject(result.value)) return [];
    const { value } = result;
    if (value.type === "structuredOutput")
      return value.value === null || value.value === undefined ? [] : [value.value];
    return "errorMessage" in value || value.type === "error" ? [] : [value];
  });
}

function proposalOf(value: Json): Proposal[] {
  if (!isObject(value) || !Array.isArray(value.calls)) return [];
  const calls = value.calls.flatMap((call) =>
    isObject(call) && typeof call.toolName === "string" && isObject(call.input)
      ? [{ toolName: call.toolName, input: call.input }]
      : [],
  );
  return calls.length === 0 ? [] : [{ message: value.message ?? "", calls, edits: value.edits ?? [] }];
}
