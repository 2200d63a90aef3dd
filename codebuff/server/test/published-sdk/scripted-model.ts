import { type ModelRequest, type ScriptedLlm, startScriptedLlm } from "@muster/scripted-llm";
import type { Part, Scenario } from "./scenarios.ts";

/** No scenario asks more often. */
const mostTurns = 60;

/** The scripted model, saying what a scenario says; every answer costs two cents. */
export function startScenarioModel({ script }: Scenario): Promise<ScriptedLlm> {
  let asked = 0;
  const next = (request: ModelRequest) => {
    const n = asked++;
    const system = JSON.stringify((request.body as { messages?: unknown[] }).messages?.[0] ?? "");
    return turnOf(typeof script === "function" ? script(n, system) : (script[Math.min(n, script.length - 1)] ?? []));
  };
  return startScriptedLlm({
    script: { conversations: [{ turns: Array.from({ length: mostTurns }, () => next) }] },
  });
}

function turnOf(parts: readonly Part[]) {
  const status = parts.flatMap((part) => ("status" in part ? [part.status] : []))[0];
  if (status !== undefined) {
    const body = { error: "rate", message: "slow down" };
    return { fault: { kind: "status" as const, status, body } };
  }
  return {
    parts: parts.flatMap(contentOf),
    pace: { chars: 100_000, delayMs: parts.flatMap((part) => ("delay" in part ? [part.delay ?? 0] : []))[0] ?? 3 },
    usage: { input: 100, output: 20, cost: 0.02 },
    fault: faultOf(parts),
  };
}

type Content =
  | { text: string[] }
  | { reasoning: string }
  | { tool: { name: string; input: Record<string, unknown>; native: true } };

function contentOf(part: Part): Content[] {
  if ("text" in part) return [{ text: [...part.text] }];
  if ("reasoning" in part) return [{ reasoning: part.reasoning.join("") }];
  if ("tool" in part) return [{ tool: { name: part.tool, input: { ...part.args }, native: true } }];
  return [];
}

/** Silence and a cut come where the words before them have been sent. */
function faultOf(parts: readonly Part[]) {
  const at = parts.findIndex((part) => "wait" in part || "drop" in part);
  const part = parts[at];
  if (part === undefined) return undefined;
  const before = parts.slice(0, at).flatMap((one) => ("text" in one ? one.text : []));
  const atByte = before.length === 0 ? 0 : bytesPerFrame * (before.length + 1);
  if ("drop" in part) return { kind: "drop" as const, atByte: atByte + 40 };
  return {
    kind: "stall" as const,
    atByte: atByte + 40,
    forMs: "wait" in part ? part.wait : 1,
    afterwards: "continue" as const,
  };
}

/** A frame of one word is about this long; the cut falls into the next one, which is not forwarded. */
const bytesPerFrame = 232;
